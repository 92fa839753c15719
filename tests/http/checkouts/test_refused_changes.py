"""Impossible changes are refused with their code and location, and change nothing. Decisions §11."""

import pytest
from starlette.testclient import TestClient

from support.service.checkout_walker import THREE_DAYS, Walker
from support.service.service import SUNDAY, Json, day_ticket, decoded, item, open_checkout

REFUSED: dict[str, tuple[str, str, Json, int, str, str]] = {
    "an unknown variant": (
        *("POST", "/items", {"json": {"items": [item(9, 999)]}}),
        *(422, "unknown-variant", "/items/0/productVariantId"),
    ),
    "an unknown discount card": (
        *("POST", "/items", {"json": {"items": [day_ticket(9, discountCardTypeId=9)]}}),
        *(422, "unknown-discount-card", "/items/0/discountCardTypeId"),
    ),
    "an unknown parent": (
        *("POST", "/items", {"json": {"items": [item(9, 911, parentItemId=8)]}}),
        *(422, "unknown-item", "/items/0/parentItemId"),
    ),
    "a person of nobody": (
        *("POST", "/items", {"json": {"items": [item(9, 211, personId=5)]}}),
        *(422, "unknown-person", "/items/0/personId"),
    ),
    "a child alone": (
        *("POST", "/items", {"json": {"items": [item(9, 511, validity=SUNDAY)]}}),
        *(422, "needs-parent", "/items/0/parentItemId"),
    ),
    "no validity": (
        *("POST", "/items", {"json": {"items": [item(9, 101)]}}),
        *(422, "validity-required", "/items/0/validity"),
    ),
    "a validity of what has none": (
        *("POST", "/items", {"json": {"items": [item(9, 411, validity=SUNDAY)]}}),
        *(422, "validity-not-wanted", "/items/0/validity"),
    ),
    "a validity that ends before it starts": (
        *(
            "POST",
            "/items",
            {"json": {"items": [day_ticket(9, validity={"from": "2026-12-28", "to": "2026-12-27"})]}},
        ),
        *(422, "invalid-validity", "/items/0/validity"),
    ),
    "three days of a day ticket": (
        *("POST", "/items", {"json": {"items": [day_ticket(9, validity=THREE_DAYS)]}}),
        *(422, "not-bookable", "/items/0/validity"),
    ),
    "what is sold elsewhere": (
        *("POST", "/items", {"json": {"items": [item(9, 721)]}}),
        *(422, "not-sold-here", "/items/0/productVariantId"),
    ),
    "an id with other content": (
        *("POST", "/items", {"json": {"items": [item(1, 411)]}}),
        *(409, "id-taken", "/items/0/id"),
    ),
    "the id of a removed item": (
        *("POST", "/items", {"json": {"items": [item(3, 411)]}}),
        *(409, "id-used", "/items/0/id"),
    ),
    "a second of what is sold once": (
        *("POST", "/items", {"json": {"items": [item(9, 311, validity=SUNDAY)]}}),
        *(409, "unique-item", "/items/0/productVariantId"),
    ),
    "a copy of what is sold once": (
        *("PATCH", "/items/2/quantity", {"json": {"delta": 1}}),
        *(409, "unique-item", "/delta"),
    ),
    "to remove a fee": (
        *("DELETE", f"/items?itemId={2**31}", {}),
        *(409, "not-deletable", "itemId"),
    ),
    "to copy a fee": (
        *("PATCH", f"/items/{2**31}/quantity", {"json": {"delta": 1}}),
        *(409, "not-deletable", "/delta"),
    ),
    "to remove more than there are": (
        *("PATCH", "/items/1/quantity", {"json": {"delta": -2}}),
        *(422, "invalid-delta", "/delta"),
    ),
    "more than fit": (
        *("PATCH", "/items/1/quantity", {"json": {"delta": 500}}),
        *(422, "too-many-items", "/delta"),
    ),
    "one of two to remove that is not there": (
        *("DELETE", "/items?itemId=1&itemId=8", {}),
        *(404, "unknown-item", "itemId"),
    ),
    "an unknown code": (
        *("POST", "/vouchers", {"json": {"voucherCode": "NONE"}}),
        *(422, "unknown-code", "/voucherCode"),
    ),
    "a medium that the product is not issued on": (
        *("POST", "/checkout-conditions", {"json": {"formValues": {"media": {"2": 1}}}}),
        *(422, "unknown-medium", "/formValues/media/2"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_impossible_change_is_refused_with_its_location_and_changes_nothing(
    walker: Walker, name: str
) -> None:
    walker.add(day_ticket(1), item(2, 311, validity=SUNDAY), item(3, 412))
    walker.remove(3)
    walker.answer(media={"1": 1})
    before = walker.client.get(walker.url)
    method, path, content, status, code, place = REFUSED[name]
    response = walker.client.request(method, f"{walker.url}{path}", **content)
    after = walker.client.get(walker.url)

    problem = decoded(response)
    assert (response.status_code, problem["code"]) == (status, code)
    assert [error.get("pointer") or error["parameter"] for error in problem["errors"]] == [place]
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


def test_a_code_of_another_channel_looks_unknown(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))

    answers = [
        client.post(f"{url}/vouchers", json={"voucherCode": code})
        for code in ("COUNTER5", " counter5", "NONE")
    ]

    assert {answer.status_code for answer in answers} == {422}
    assert len({answer.content for answer in answers}) == 1
    assert client.get(url).json()["data"]["promoCodes"] == []
