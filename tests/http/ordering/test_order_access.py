"""Access to orders, as a table and over HTTP; without access, an order looks like an unknown one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest

import faregate_server.settings
from faregate_http.ordering.order_access import OrderReader, OrderSecrets, may_read_order
from faregate_http.store.records import OrderRow
from faregate_server.channel_keys import new_key
from support.payment.orders import Sold, bought, bought_for_nothing, read, staff_of
from support.payment.till import HOTELS, STRICT, Customer, Shop, database, meal, shop
from support.service.service import VALLEY_STATION, WEBSHOP, decoded, new_url, running

ADA, EVE = 1, 2
NOBODY = OrderReader()


def order(account: int | None, channel_type: str = "WEB", channel: str = WEBSHOP) -> OrderRow:
    return OrderRow("an-order", 1, 0, account, channel, channel_type, "R", "CHF", 2000, "{}", b"", "{}")


GUESTS, ADAS = order(None), order(ADA)


@pytest.mark.parametrize(
    ("sold", "reader", "is_read"),
    [
        # the account
        (ADAS, OrderReader(account=ADA), True),
        (order(ADA, "CONSUMPTION"), OrderReader(account=ADA), True),
        (order(ADA, "POS"), OrderReader(account=ADA), False),
        (ADAS, OrderReader(account=EVE), False),
        (GUESTS, OrderReader(account=ADA), False),
        # the staff of a channel
        (ADAS, OrderReader(staff_channel=WEBSHOP), True),
        (GUESTS, OrderReader(staff_channel=WEBSHOP), True),
        (order(ADA, "POS", VALLEY_STATION), OrderReader(staff_channel=VALLEY_STATION), True),
        (order(ADA, "CONSUMPTION", HOTELS), OrderReader(staff_channel=HOTELS), True),
        (ADAS, OrderReader(staff_channel=VALLEY_STATION), False),
        (order(None, "POS", VALLEY_STATION), OrderReader(staff_channel=WEBSHOP), False),
        # a guest
        (GUESTS, OrderReader(has_secret=True), True),
        (order(None, "POS", VALLEY_STATION), OrderReader(has_secret=True), True),
        (ADAS, OrderReader(has_secret=True), False),
        # several proofs: one is enough, and they do not add up
        (GUESTS, OrderReader(account=EVE, has_secret=True), True),
        (ADAS, OrderReader(account=EVE, has_secret=True), False),
        (ADAS, OrderReader(account=EVE, staff_channel=WEBSHOP), True),
        (order(ADA, "POS"), OrderReader(account=ADA, staff_channel=VALLEY_STATION, has_secret=True), False),
        # no access
        (GUESTS, NOBODY, False),
        (ADAS, NOBODY, False),
        (order(None, "POS"), NOBODY, False),
    ],
)
def test_orders_can_be_read_only_by_those_entitled_to_them(
    sold: OrderRow, reader: OrderReader, is_read: bool
) -> None:
    assert may_read_order(sold, reader) is is_read


class World(NamedTuple):
    """A shop with orders of every kind, by name."""

    till: Shop
    ada: Customer
    eve: Customer
    orders: dict[str, Sold]

    def code(self, order_id: str, headers: dict[str, str], what: str) -> tuple[int, str]:
        """Return the status of the response and the code of a problem."""
        response = read(self.till, order_id, headers, what)
        return response.status_code, decoded(response).get("code", "")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with database("sqlite", tmp_path_factory.mktemp("orders")) as url, shop(url) as till:
        ada, eve = till.customer(), till.customer()
        buyers = {"ada": ada.headers, "guest": {}}
        places = {"web": WEBSHOP, "hotel": HOTELS, "till": VALLEY_STATION}
        orders = {
            f"{buyer} {place}": bought(till, headers, channel=channel)
            for buyer, headers in buyers.items()
            for place, channel in places.items()
        }
        orders |= {f"{buyer} public": bought_for_nothing(till, headers) for buyer, headers in buyers.items()}
        till.issue()
        yield World(till, ada, eve, orders)


Ask = Callable[[World], dict[str, str]]


def secret(change: Callable[[str], str], name: str = "guest web") -> Ask:
    """Return the secret of that order, modified by *change*."""
    return lambda world: {"order-secret": change(str(world.orders[name].secret))}


def secret_of_account(world: World) -> dict[str, str]:
    """Return the secret that an order with an account would have."""
    made = world.till.services.order_secrets.of(world.orders["ada web"].id)
    return {"order-secret": str(made)}


OF_ADA = {"ada web", "ada hotel", "ada public"}

READERS: dict[str, tuple[Ask, set[str]]] = {
    "the account": (lambda world: world.ada.headers, OF_ADA),
    "the account elsewhere": (
        lambda world: {**world.ada.headers, "service-channel-uuid": VALLEY_STATION},
        OF_ADA,
    ),
    "another account": (lambda world: world.eve.headers, set()),
    "staff of the web shop": (lambda _: staff_of(WEBSHOP), {"ada web", "guest web"}),
    "staff of the hotels": (lambda _: staff_of(HOTELS), {"ada hotel", "guest hotel"}),
    "staff of the till": (lambda _: staff_of(VALLEY_STATION), {"ada till", "guest till"}),
    "staff with an account": (
        lambda world: {**staff_of(VALLEY_STATION), **world.ada.headers},
        OF_ADA | {"ada till", "guest till"},
    ),
    "a wrong key": (lambda _: staff_of(WEBSHOP, new_key().key), set()),
    "an empty key": (lambda _: staff_of(WEBSHOP, ""), set()),
    "a wrong key beside an account": (
        lambda world: {**staff_of(VALLEY_STATION, new_key().key), **world.ada.headers},
        OF_ADA,
    ),
    "a key of a public channel beside another account": (
        lambda world: {**staff_of(STRICT), **world.eve.headers},
        set(),
    ),
    "a guest": (secret(str), {"guest web"}),
    "a guest at a till": (secret(str, "guest till"), {"guest till"}),
    "a guest who has logged in since": (
        lambda world: {**world.eve.headers, **world.orders["guest web"].guest},
        {"guest web"},
    ),
    "a secret of an order with an account": (secret_of_account, set()),
    "no secret": (secret(lambda _: ""), set()),
    "a secret in other letters": (secret(str.swapcase), set()),
    "a secret with padding": (secret(lambda text: f"{text}="), set()),
    "a secret that decodes to the same": (
        # Of the last character, four bits count.
        secret(lambda text: text[:-1] + chr(ord(text[-1]) + 1)),
        set(),
    ),
    "half a secret": (secret(lambda text: text[:22]), set()),
    "a secret and more": (secret(lambda text: f"{text}A"), set()),
    "the id of the order": (lambda world: {"order-secret": world.orders["guest web"].id}, set()),
    "an overlong secret": (secret(lambda text: text * 400), set()),
}

OPERATIONS = ("", "/notices")


@pytest.mark.parametrize("what", OPERATIONS)
@pytest.mark.parametrize("name", READERS)
def test_readers_see_only_their_own_orders(world: World, name: str, what: str) -> None:
    asks, readable = READERS[name]

    found = {order: world.code(sold.id, asks(world), what) for order, sold in world.orders.items()}

    assert {order for order, (status, _) in found.items() if status == 200} == readable
    assert {answer for order, answer in found.items() if order not in readable} <= {(404, "unknown-order")}


@pytest.mark.parametrize("what", OPERATIONS)
@pytest.mark.parametrize(
    "headers",
    [{}, {"service-channel-uuid": VALLEY_STATION}, staff_of(STRICT), {"authorization": "Bearer nonsense"}],
    ids=["nothing", "a till without a key", "a key of a public channel", "no token"],
)
def test_an_order_request_without_proof_is_401(world: World, headers: dict[str, str], what: str) -> None:
    code = "invalid-token" if "authorization" in headers else "missing-token"
    for order_id in (world.orders["guest web"].id, str(uuid4())):
        response = read(world.till, order_id, headers, what)

        assert (response.status_code, decoded(response)["code"]) == (401, code)
        assert response.headers["www-authenticate"] == "Bearer"


def test_two_order_secrets_are_refused(world: World) -> None:
    sold = world.orders["guest web"]
    two = [("order-secret", str(sold.secret)), ("order-secret", "another")]

    response = world.till.client.get(f"/api/orders/{sold.id}", headers=two)

    assert response.status_code == 400
    assert [fault["header"] for fault in decoded(response)["errors"]] == ["order-secret"]


def test_without_a_key_order_secrets_are_neither_issued_nor_accepted(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faregate_server.settings, "_order_key", lambda _: None)
    with database("sqlite", tmp_path) as url, shop(url) as till:
        sold = bought(till)
        response = read(till, sold.id, world.orders["guest web"].guest)

    assert sold.secret is None
    assert (response.status_code, decoded(response)["code"]) == (401, "missing-token")


def test_guests_need_no_identity_provider(tmp_path: Path) -> None:
    with running(tmp_path, token_secret="-" * 32) as client:
        del client.headers["service-channel-key"]
        path = f"/api/orders/{uuid4()}"
        guest = client.get(path, headers={"order-secret": "x"})
        nobody = client.get(path)

    assert (guest.status_code, decoded(guest)["code"]) == (404, "unknown-order")
    assert (nobody.status_code, decoded(nobody)["code"]) == (503, "identity-not-configured")


def test_only_a_guest_payment_has_the_order_secret_header(world: World) -> None:
    secrets = {name: sold.secret for name, sold in world.orders.items()}

    assert {name for name, made in secrets.items() if made is None} == OF_ADA | {"ada till"}
    assert len(set(secrets.values())) == 1 + 4


@pytest.mark.parametrize("what", OPERATIONS)
def test_a_guest_can_write_the_order_id_in_capitals(world: World, what: str) -> None:
    sold = world.orders["guest web"]

    assert world.code(sold.id.upper(), sold.guest, what)[0] == 200


def test_a_client_without_access_gets_no_order_secret(till: Shop, customer: Customer) -> None:
    path = till.opened(meal(1), **customer.headers)

    response = till.pay(path, 20)

    assert response.status_code == 404
    assert "order-secret" not in response.headers


def test_a_refused_payment_reveals_no_secret(till: Shop) -> None:
    path = till.opened(meal(1))

    for response in (till.pay(path, 21), till.pay(new_url(), 20), till.client.get(path)):
        assert "order-secret" not in response.headers


def test_an_order_secret_is_derived_from_the_key_and_the_id() -> None:
    one, other = "0f8fad5b-d9cb-469f-a165-70867728950e", "6ba7b810-9dad-41d1-80b4-00c04fd430c8"
    secrets = OrderSecrets(bytes(32))

    made = secrets.of(one)

    # echo -n 'order 0f8fad5b-d9cb-469f-a165-70867728950e' | openssl dgst -sha256 -mac HMAC
    #   -macopt hexkey:00…00 -binary | basenc --base64url
    assert made == "0lPLaa2hdY7uYOiaotiBPLugNLt74tiWLxlMy1Ay9ZE"
    assert secrets.fits(one, made)
    assert not secrets.fits(other, made)
    assert not OrderSecrets(b"\x01" * 32).fits(one, made)
    assert OrderSecrets(None).of(one) is None
    assert not OrderSecrets(None).fits(one, made)
    assert not secrets.fits("\udc80", "\udc80")
    assert "\\x00" not in repr(secrets)


def test_secrets_of_old_keys_fit_and_new_ones_come_from_the_first() -> None:
    old, new = OrderSecrets(bytes(32)), OrderSecrets(b"1" * 32, (b"2" * 32, bytes(32)))
    given = old.of("an-order")
    assert given is not None

    assert new.fits("an-order", given)
    assert not new.fits("another-order", given)
    assert new.of("an-order") == OrderSecrets(b"1" * 32).of("an-order") != given
    assert not OrderSecrets(b"1" * 32).fits("an-order", given)
    assert not OrderSecrets(None, (bytes(32),)).fits("an-order", given)


def test_guests_read_orders_made_with_an_old_token_secret() -> None:
    before = faregate_server.settings.Settings(token_secret="o" * 32).options()
    after = faregate_server.settings.Settings(token_secret="n" * 32, old_token_secrets=["o" * 32]).options()

    given = OrderSecrets(before.order_key).of("an-order")

    assert given is not None
    assert OrderSecrets(after.order_key, after.old_order_keys).fits("an-order", given)
