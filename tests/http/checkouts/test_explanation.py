"""Explanations of checkouts over HTTP: their content, access to them, and how long they are available."""

import re
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.payment.till import Customer, Shop, meal, ride
from support.service.explained import assert_explained
from support.service.service import (
    Clock,
    Json,
    answer,
    data_of,
    day_ticket,
    enter,
    item,
    open_checkout,
    running,
)

DEMO = (
    files("faregate.files")
    .joinpath("demo_resort.yaml")
    .read_text(encoding="utf-8")
    .replace("    type: WEB\n", "    type: WEB\n    canPayOnSite: true\n")
)


def explained(client: TestClient, url: str, language: str = "en") -> Json:
    """Return the explanation of a checkout, checked against the figures of the checkout."""
    headers = {"accept-language": language}
    told = data_of(client.get(f"{url}/explanation", headers=headers))
    assert_explained(told, data_of(client.get(url, headers=headers)))
    return told


def steps(figures: Json, name: str) -> list[tuple[Any, ...]]:
    """Return rule, source and amount of the steps of a figure."""
    return [(step["rule"], step["source"], step["amount"]) for step in figures[name]]


def test_the_steps_of_a_basket_worked_out_by_hand(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    enter(client, url, "WINTER10")
    enter(client, url, "GIFT-100")
    answer(client, url, donation=2.5)

    told = explained(client, url)

    # 8 % of 79 are 6.32, 10 % of the remaining 72.68 are 7.27 (half up), 8.1/108.1 of 65.41 are 4.90.
    early, ten = Decimal("-6.32"), Decimal("-7.27")
    assert steps(told["items"][0]["figures"], "totalGross") == [
        ("LIST_PRICE", None, 79),
        ("AUTOMATIC_DISCOUNT", "Early booking", early),
        ("PROMO_CODE", "WINTER10", ten),
    ]
    assert steps(told["figures"], "totalNet") == [
        ("CARRIED", "totalGross", Decimal("67.91")),
        ("VAT", "8.1 %", Decimal("-4.90")),
    ]
    assert steps(told["figures"], "amountDue") == [
        ("CARRIED", "totalGross", Decimal("67.91")),
        ("VOUCHER", "GIFT-100", Decimal("-65.41")),
    ]
    assert steps(told["figures"], "donation") == [("DONATION", None, Decimal("2.5"))]


def test_a_used_up_voucher_is_explained_as_paying_nothing(till: Shop) -> None:
    first, second = till.opened(ride(1)), till.opened(ride(1))
    till.enter(first, "GIFT-30")
    assert till.pay(first, till.shown(first)["totalGross"], provider="ON_SITE").status_code == 200

    shown = till.enter(second, "GIFT-30")

    told = explained(till.client, second)["figures"]["amountDue"]
    assert shown["vouchers"] == [{"code": "GIFT-30", "system": "VOUCHER_B", "amount": 0, "reason": "USED_UP"}]
    assert [(step["source"], step["note"]) for step in told] == [("totalGross", None), ("GIFT-30", "used up")]


def test_shared_discounts_are_explained_for_each_item(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1), day_ticket(2), item(3, 411))
    enter(client, url, "WINTER10")

    told = explained(client, url)

    carried = told["figures"]["listPriceGross"]
    assert [step["itemIds"] for step in carried] == [[1, 2], [3]]
    assert all(step["source"] is None for step in carried)
    notes = [step["note"] for step in told["items"][0]["figures"]["promoCodeDiscount"]]
    assert notes == ["10 % off: 14.54 over 2 items"]


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("en", "Early booking"),
        ("de", "Frühbucher"),
    ],
)
def test_discounts_are_named_in_the_requested_language(client: TestClient, language: str, name: str) -> None:
    url, _ = open_checkout(client, day_ticket(1))

    told = explained(client, url, language)

    assert [source for _, source, _ in steps(told["figures"], "autoDiscountAmount")] == [name]


def test_it_has_the_etag_of_the_checkout_and_can_be_304(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    etag = client.get(url).headers["etag"]

    first = client.get(f"{url}/explanation")
    again = client.get(f"{url}/explanation", headers={"if-none-match": etag})
    enter(client, url, "WINTER10")
    changed = client.get(f"{url}/explanation", headers={"if-none-match": etag})

    assert first.headers["etag"] == etag
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == "accept-language, service-channel-uuid, origin"
    assert (again.status_code, again.content) == (304, b"")
    assert (changed.status_code, changed.headers["etag"] != etag) == (200, True)


def test_an_expired_checkout_is_explained_as_it_was(client: TestClient, clock: Clock) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    before = explained(client, url)
    clock.turn(hours=3)

    assert explained(client, url) == before


def test_a_checkout_bound_during_the_request_is_not_explained_to_others(
    till: Shop, customer: Customer
) -> None:
    url = till.opened(meal(1))
    till.shown(url)  # cached from now on
    store = till.services.store
    read_head = store.head

    async def head(asked: str) -> Any:
        """Return the checkout as it was before another process bound it."""
        found, row = await read_head(asked), await store.checkout(asked)
        assert row is not None
        await store.save(row._replace(account=customer.account, revision=row.revision + 1))
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store, "head", head)
        seen = till.client.get(f"{url}/explanation")

    assert (seen.status_code, seen.json()["code"]) == (404, "unknown-checkout")


def test_a_paid_checkout_is_explained_with_the_figures_paid(till: Shop) -> None:
    url = till.opened(meal(1), meal(2))
    total = till.shown(url)["totalGross"]
    assert till.pay(url, total, provider="ON_SITE").status_code == 200

    told = data_of(till.client.get(f"{url}/explanation"))

    shown = data_of(till.client.get(url))
    assert shown["status"] == "CLOSED"
    assert_explained(told, shown)


def _running(folder: Path, name: str, text: str) -> Any:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return running(folder, catalogue=path)


def _pay(client: TestClient, url: str) -> None:
    answer(client, url, acceptTerms=True)
    total = data_of(client.get(url))["totalGross"]
    paid = client.post(f"{url}/payment", json={"expectedTotal": float(total), "provider": "ON_SITE"})
    assert paid.status_code == 200, paid.text


def test_a_paid_checkout_is_not_explained_with_other_prices(tmp_path: Path) -> None:
    with _running(tmp_path, "before", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411))
        enter(client, url, "WINTER10")
        _pay(client, url)
        assert client.get(f"{url}/explanation").status_code == 200
    dearer = re.sub(r"(code: WINTER10.*?percent: )10", r"\g<1>20", DEMO, count=1, flags=re.DOTALL)

    with _running(tmp_path, "after", dearer) as client:
        refused = client.get(f"{url}/explanation")

        assert client.get(url).status_code == 200
    assert (refused.status_code, refused.json()["code"]) == (409, "catalogue-changed")
