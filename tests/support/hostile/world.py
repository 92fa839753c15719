"""Services with an object of every kind that hostile requests could take, change or read."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from faregate_http.store.records import TicketRow
from support.hostile.hostility import World, filled_checkout
from support.payment.registering import DETAILS, body_of, page_of, services_of, submit
from support.service.customers import logged_in, new_person, rows_of, serving_accounts
from support.service.identity_provider import SECRET, providing
from support.service.service import WEBSHOP, answer, data_of, item, on_site, open_checkout, running

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """Yield a service that trusts an identity provider."""
    folder.mkdir()
    with providing() as provider, serving_accounts(folder, provider, catalogue=on_site(folder)) as client:
        names = names_of(client, lambda subject: provider.token(sub=subject))
        with closing(_database(folder)) as database:
            yield World.of(client, database, names)


@contextmanager
def development_world(folder: Path) -> Iterator[World]:
    """Yield a service with the development pages."""

    def id_token(subject: str) -> str:
        reply = client.post("/dev/identity/token", json={"subject": subject})
        return str(reply.json()["id_token"])

    folder.mkdir()
    with running(folder, catalogue=on_site(folder), is_development=True, token_secret=SECRET) as client:
        names = names_of(client, id_token)
        with closing(_database(folder)) as database:
            yield World.of(client, database, names)


def _database(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{folder / 'checkouts.db'}?mode=ro", uri=True, check_same_thread=False)


def names_of(client: TestClient, id_token: Callable[[str], str]) -> dict[str, str]:
    """Create the objects of two customers and return their names."""
    client.follow_redirects = False
    mine, foreign = (logged_in(client, id_token(subject)) for subject in ("ada", "somebody else"))
    url = filled_checkout(client)
    own = _things_of(client, mine)
    others = {f"foreign {name}": value for name, value in _things_of(client, foreign).items()}
    guests = _orders_of_guests(client, others["foreign order"])
    _settle(client)
    return {
        **own,
        **others,
        "id token": id_token("ada"),
        "checkout": url,
        "checkout id": url.rpartition("/")[2],
        **_payable(client),
        **guests,
        "unknown": UNKNOWN,
        "channel": WEBSHOP,
    }


def _things_of(client: TestClient, headers: dict[str, str]) -> dict[str, str]:
    active = _registered(client, headers)
    assert submit(client, active, instrument="pays").status_code == 303
    details = data_of(client.get(DETAILS, headers=headers))
    open_registration = _registered(client, headers)
    form_token = page_of(client, open_registration).fields["token"]
    return {
        "token": headers["authorization"].removeprefix("Bearer "),
        "person": str(new_person(client, headers)["id"]),
        "detail": str(details[0]["id"]),  # type: ignore[index]
        "registration": open_registration,
        "link": f"{open_registration}-{form_token}",
        "form token": form_token,
        "half form token": form_token[:16],
        "swapped form token": form_token.swapcase(),
        "bound": _bought(client, headers, is_paid=False),
        "order": _bought(client, headers, is_paid=True).rpartition("/")[2],
    }


def _registered(client: TestClient, headers: dict[str, str]) -> str:
    body = body_of(isDefault=True)
    return str(data_of(client.post(f"{DETAILS}/register", json=body, headers=headers))["transactionId"])


def _bought(client: TestClient, headers: dict[str, str], *, is_paid: bool) -> str:
    """Return the path of a checkout with a lunch, of the account that *headers* name, if any."""
    before = client.headers.copy()
    client.headers.update(headers)
    url, checkout = open_checkout(client, item(1, 411))
    answer(client, url, acceptTerms=True)
    if is_paid:
        paid: Any = {"expectedTotal": float(checkout["totalGross"]), "provider": "ON_SITE"}
        data_of(client.post(f"{url}/payment", json=paid))
    client.headers = before
    return url


def _orders_of_guests(client: TestClient, of_account: str) -> dict[str, str]:
    """Return a guest's order with its secret, another one's, and a derived secret for an account's order."""
    paid = [_bought(client, {}, is_paid=True).rpartition("/")[2] for _ in range(2)]
    secret, other, foreign = (
        str(services_of(client).order_secrets.of(order)) for order in (*paid, of_account)
    )
    return {
        "guest order": paid[0],
        "order secret": secret,
        "half order secret": secret[:21],
        "swapped order secret": secret.swapcase(),
        "other order secret": other,
        "foreign order secret": foreign,
    }


def _payable(client: TestClient) -> dict[str, str]:
    """Create a checkout that lacks only its payment."""
    url = _bought(client, {}, is_paid=False)
    total = data_of(client.get(url))["totalGross"]
    return {"payable": url, "payable id": url.rpartition("/")[2], "total": str(total)}


def _settle(client: TestClient) -> None:
    """Complete all background work, so that nothing changes by itself."""
    assert client.portal is not None
    while any(ticket.status == "OPEN" for ticket in rows_of(client, TicketRow)):
        client.portal.call(services_of(client).ticketing.work)
