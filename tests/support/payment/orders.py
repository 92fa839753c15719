"""Orders of the till: bought by customers and guests, and read with various credentials."""

from typing import Any, NamedTuple

from support.payment.till import STRICT, WATER, Shop, meal
from support.service.service import KEY, WEBSHOP, data_of, item

SECRET = "order-secret"


class Sold(NamedTuple):
    """The id of an order, and the secret from its payment, if any."""

    id: str
    secret: str | None = None

    @property
    def guest(self) -> dict[str, str]:
        """The header of a guest with the secret."""
        assert self.secret is not None
        return {SECRET: self.secret}


def staff_of(channel: str, key: str = KEY) -> dict[str, str]:
    """Return the headers of staff at *channel* with that key."""
    return {"service-channel-uuid": channel, "service-channel-key": key}


def bought(
    till: Shop, headers: dict[str, str] | None = None, *, items: int = 1, channel: str = WEBSHOP
) -> Sold:
    """Return an order of meals paid on site, of the account in *headers* or of a guest."""
    given = {**(headers or {}), "service-channel-uuid": channel}
    path = till.opened(*(meal(n) for n in range(1, items + 1)), **given)
    paid = till.pay(path, 20 * items, given, provider="ON_SITE")
    assert data_of(paid)["status"] == "CLOSED"
    return Sold(path.rpartition("/")[2], paid.headers.get(SECRET))


def bought_for_nothing(till: Shop, headers: dict[str, str] | None = None) -> Sold:
    """Return an order of free water on the public channel, which needs no key."""
    given = {**(headers or {}), **staff_of(STRICT, "")}
    path = till.opened(item(1, WATER), **given)
    answers = {"formValues": {"acceptTerms": True, "hotel": "Edelweiss"}}
    data_of(till.client.post(f"{path}/checkout-conditions", json=answers, headers=given))
    paid = till.client.post(f"{path}/payment", json={"expectedTotal": 0}, headers=given)
    assert data_of(paid)["status"] == "CLOSED"
    return Sold(path.rpartition("/")[2], paid.headers.get(SECRET))


def read(till: Shop, order: str, headers: dict[str, str], what: str = "", method: str = "GET") -> Any:
    """Return the response to a read of an order, or of *what* belongs to it, with only *headers*."""
    kept = till.client.headers.copy()
    del till.client.headers["service-channel-key"]
    try:
        return till.client.request(method, f"/api/orders/{order}{what}", headers=headers)
    finally:
        till.client.headers = kept


def issue_all(till: Shop) -> None:
    """Process tickets until each is issued or has failed."""
    for _ in range(3):
        till.issue()
        till.clock.turn(seconds=5)
