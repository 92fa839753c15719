"""Shared helpers of payment tests: refusals, every change to a checkout, and a pending payment."""

from collections.abc import Callable
from typing import Any

from support.payment.fake_gateway import Act, Plan
from support.payment.till import Customer, Shop, meal
from support.service.service import Json, data_of, decoded

ADDRESS = {"addressLine1": "Dorf 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}


def problem(response: Any, status: int, code: str) -> Json:
    """Return the problem in a response, which must have that status and code."""
    assert response.status_code == status, response.text
    found = decoded(response)
    assert found["code"] == code, found
    return found


def pointers(found: Json) -> list[tuple[str, str]]:
    """Return the location and code of each missing requirement."""
    return [(error["checkout"], error["code"]) for error in found["errors"]]


Ask = Callable[[Shop, str, dict[str, str]], Any]

CHANGES: dict[str, Ask] = {
    "add": lambda till, url, headers: till.client.post(
        f"{url}/items", json={"items": [meal(9)]}, headers=headers
    ),
    "remove": lambda till, url, headers: till.client.delete(f"{url}/items?itemId=1", headers=headers),
    "answer": lambda till, url, headers: till.client.post(
        f"{url}/checkout-conditions", json={"formValues": {"donation": 1}}, headers=headers
    ),
    "quantity": lambda till, url, headers: till.client.patch(
        f"{url}/items/1/quantity", json={"delta": 1}, headers=headers
    ),
    "enter": lambda till, url, headers: till.client.post(
        f"{url}/vouchers", json={"voucherCode": "GIFT-50"}, headers=headers
    ),
    "drop": lambda till, url, headers: till.client.delete(f"{url}/vouchers/MEMBERS", headers=headers),
    "pay": lambda till, url, headers: till.pay(url, 18, headers),
    "nothing": lambda till, url, headers: till.client.post(
        f"{url}/checkout-conditions", json={"formValues": {}}, headers=headers
    ),
}


def waiting(till: Shop, customer: Customer, *codes: str, total: object = 18) -> str:
    """Return the path of a checkout that is being paid."""
    url = till.opened(meal(1), **customer.headers)
    for code in codes or ("MEMBERS",):
        till.enter(url, code, **customer.headers)
    till.gateway.plans.append(Plan.WAIT)
    assert data_of(till.pay(url, total, customer.headers))["status"] == "OPEN"
    return url


def decline(till: Shop, url: str, customer: Customer) -> None:
    """Decline the pending payment, so that the books can be audited."""
    [payment] = [row for row in till.payments(url) if row.status == "PENDING"]
    till.gateway.confirm(payment.id, Act.DECLINED)
    till.clock.turn(seconds=30)
    till.work()
    assert till.status(url, customer.headers)["status"] == "FAILED"
