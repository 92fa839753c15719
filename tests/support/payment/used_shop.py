"""A shop in which every kind of event has happened once."""

from typing import NamedTuple

from faregate_http.ordering.ticketing import IssueFailed, Ticket
from support.payment.fake_gateway import Plan
from support.payment.till import MONDAY, Customer, Shop, crossing, meal, ride, shop
from support.service.service import Json, data_of


class Used(NamedTuple):
    """The ids of checkouts in a used shop, by their outcome."""

    order: str
    """A ride, a crossing and a meal by post, with a code, a voucher and a donation, through the gateway."""
    gift: str
    """Two meals, paid with vouchers alone; the second ticket could not be issued."""
    authorized: str
    pending: str
    declined: str
    open: str
    """Two rides on Monday and a code."""
    released: str


class OutOfPaper:
    """An issuer that fails for the second ticket of an order."""

    async def issue(self, ticket: Ticket) -> str:
        if ticket.item_id == 2:
            raise IssueFailed("out of paper")
        return f"T-{ticket.item_id}"


def use(url: str) -> Used:
    """Create all events in the shop on the new database at *url*."""
    with shop(url, issuer=OutOfPaper()) as till:
        customer = till.customer({"firstName": "Ada"})
        released = till.opened(ride(1, validity=MONDAY))
        till.clock.turn(minutes=31)
        order = _paid_with_everything(till, till.customer({"firstName": "Bea"}))
        gift = till.opened(meal(1), meal(2))
        for code in ("GIFT-30", "RICH"):
            till.enter(gift, code)
        data_of(till.pay(gift, 40, provider=None))
        _issue_all(till)
        authorized = _tried(till, customer, Plan.AUTHORIZE, meal(1))
        declined = _tried(till, customer, Plan.DECLINE, meal(1), ride(2))
        pending = _tried(till, customer, Plan.WAIT, meal(1), code="BUDGET", total=10)
        held = till.opened(ride(1, validity=MONDAY), ride(5, validity=MONDAY))
        till.enter(held, "MEMBERS")
    paths = order, gift, authorized, pending, declined, held, released
    return Used(*(path.rpartition("/")[2] for path in paths))


def _paid_with_everything(till: Shop, customer: Customer) -> str:
    path = till.opened(ride(1), crossing(2), meal(3), **customer.headers)
    address = {"addressLine1": "Dorf 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}
    values = {"donation": 3, "media": {"3": 1}, "shippingAddress": address}
    conditions = f"{path}/checkout-conditions"
    data_of(till.client.post(conditions, json={"formValues": values}, headers=customer.headers))
    for code in ("ONCE", "GIFT-50", "MEMBERS"):
        till.enter(path, code, **customer.headers)
    shown = till.shown(path, customer.headers)
    assert data_of(till.pay(path, float(shown["totalGross"]), customer.headers))["status"] == "CLOSED"
    return path


def _issue_all(till: Shop) -> None:
    for _ in range(4):
        till.issue()
        till.clock.turn(seconds=5)


def _tried(
    till: Shop,
    customer: Customer,
    plan: Plan,
    *items: Json,
    code: str | None = None,
    total: int | None = None,
) -> str:
    """Return a checkout whose payment followed *plan*."""
    path = till.opened(*items, **customer.headers)
    if code is not None:
        till.enter(path, code, **customer.headers)
    till.gateway.plans.append(plan)
    costs = total or float(till.shown(path, customer.headers)["totalGross"])
    data_of(till.pay(path, costs, customer.headers))
    return path
