"""A changed catalogue: promised prices stay, unavailable items can be removed. Decisions §11.8."""

import re
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from support.service.checkout_identities import assert_identities
from support.service.service import Clock, Json, answer, data_of, decoded, enter, item, open_checkout, running

DEMO = files("faregate.files").joinpath("demo_resort.yaml").read_text(encoding="utf-8")


class Editions:
    """A service that starts with one catalogue and then with another."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder
        self.clock = clock

    def running(self, name: str, text: str) -> Any:
        """Return a client of the service with the catalogue *text*."""
        path = self.folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return running(self.folder, catalogue=path, clock=self.clock)


@pytest.fixture
def editions(tmp_path: Path, clock: Clock) -> Editions:
    return Editions(tmp_path, clock)


def without(pattern: str, text: str = DEMO, *, by: str = "") -> str:
    """Return *text* with the matches of *pattern* replaced; at least one is required."""
    edited, number = re.subn(pattern, by, text, flags=re.DOTALL)
    assert number
    return edited


NO_LUNCH_FOR_CHILDREN = without(r"      - id: 412\n.*?(?=\n  - id: 51)")
DEARER_LUNCH = without(r"amount: 22\.50", by="amount: 30.00")
HIGHER_TAX = without(r"vatRate: 2\.6", by="vatRate: 3.8")
NO_QUESTION_OF_GUESTS = without(r"      - name: guests\n.*?(?=      - name: newsletter)")


def test_prices_of_items_stay_when_prices_rise(editions: Editions) -> None:
    with editions.running("old", DEMO) as client:
        url, before = open_checkout(client, item(1, 411), item(2, 412))
    with editions.running("new", without(r"vatRate: 2\.6", DEARER_LUNCH, by="vatRate: 3.8")) as client:
        read = data_of(client.get(url))
        added = data_of(client.post(f"{url}/items", json={"items": [item(3, 411)]}))
        copied = data_of(client.patch(f"{url}/items/1/quantity", json={"delta": 1}))

    assert read["items"][0]["listPriceGross"] == Decimal("22.5")
    assert (read["totalGross"], read["totalNet"]) == (before["totalGross"], before["totalNet"])
    assert [entry["listPriceGross"] for entry in added["items"]] == [Decimal("22.5"), Decimal("14.5"), 30]
    # Copies are priced when they are added.
    assert [entry["listPriceGross"] for entry in copied["items"]][-1] == 30
    for data in (read, added, copied):
        assert_identities(data)


def test_the_tax_rate_of_an_item_stays_when_taxes_rise(editions: Editions) -> None:
    with editions.running("old", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411))
    with editions.running("new", HIGHER_TAX) as client:
        data = data_of(client.get(url))

    assert data["items"][0]["vatRate"] == Decimal("2.6")
    assert data["items"][0]["productVariant"]["vatRate"] == Decimal("3.8")


def test_an_etag_never_stands_for_two_catalogues(editions: Editions) -> None:
    with editions.running("old", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411))
        before = client.get(url).headers["etag"]
    with editions.running("new", HIGHER_TAX) as client:
        after = client.get(url, headers={"if-none-match": before})

    assert after.status_code == 200
    assert after.headers["etag"] != before


def test_a_checkout_with_a_discontinued_item_says_what_to_remove(editions: Editions) -> None:
    with editions.running("old", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411), item(2, 412))
    with editions.running("new", NO_LUNCH_FOR_CHILDREN) as client:
        read = client.get(url)

    problem = decoded(read)
    assert (read.status_code, problem["code"]) == (409, "catalogue-changed")
    [error] = problem["errors"]
    assert error["reason"].startswith("item 2: ")
    assert "412" in error["reason"]


@pytest.mark.parametrize(
    ("method", "path", "content"),
    [
        ("POST", "/items", {"json": {"items": [item(3, 411)]}}),
        ("PATCH", "/items/1/quantity", {"json": {"delta": 1}}),
        ("DELETE", "/items?itemId=1", {}),
        ("POST", "/vouchers", {"json": {"voucherCode": "NEWS5"}}),
        ("POST", "/checkout-conditions", {"json": {"formValues": {"donation": 1}}}),
    ],
)
def test_a_change_that_leaves_it_unsellable_is_refused(
    editions: Editions, method: str, path: str, content: Json
) -> None:
    with editions.running("old", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411), item(2, 412))
        before = client.get(url)
    with editions.running("new", NO_LUNCH_FOR_CHILDREN) as client:
        response = client.request(method, f"{url}{path}", **content)
    with editions.running("old", DEMO) as client:
        after = client.get(url)

    assert (response.status_code, decoded(response)["code"]) == (409, "catalogue-changed")
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


@pytest.mark.parametrize("removal", ["DELETE", "PATCH"])
def test_removing_items_that_are_no_longer_sold_repairs_a_checkout(editions: Editions, removal: str) -> None:
    with editions.running("old", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411), item(2, 412))
    with editions.running("new", NO_LUNCH_FOR_CHILDREN) as client:
        if removal == "DELETE":
            removed = data_of(client.delete(f"{url}/items?itemId=2"))
        else:
            removed = data_of(client.patch(f"{url}/items/2/quantity", json={"delta": -1}))
        read = data_of(client.get(url))

    assert [entry["id"] for entry in removed["items"]] == [1]
    assert read == removed
    assert_identities(read)


def test_an_answer_to_a_discontinued_question_can_be_removed(editions: Editions) -> None:
    with editions.running("old", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411))
        answer(client, url, guests=4, hotel="Post")
    with editions.running("new", NO_QUESTION_OF_GUESTS) as client:
        read = data_of(client.get(url))
        refused = client.post(f"{url}/checkout-conditions", json={"formValues": {"hotel": "Bären"}})
        mended = answer(client, url, guests=None, hotel="Bären")

    assert read["checkoutConditions"]["values"] == {"guests": 4, "hotel": "Post"}
    assert [error["pointer"] for error in decoded(refused)["errors"]] == ["/formValues/guests"]
    assert mended["checkoutConditions"]["values"] == {"hotel": "Bären"}


def test_a_code_that_no_longer_exists_is_invalid(editions: Editions) -> None:
    with editions.running("old", DEMO) as client:
        url, _ = open_checkout(client, item(1, 411))
        enter(client, url, "NEWS5")
        enter(client, url, "GIFT-100")
    gone = without(r"code: NEWS5", without("GIFT-100", by="GIFT-101"), by="code: NEWS6")
    with editions.running("new", gone) as client:
        data = data_of(client.get(url))
        dropped = data_of(client.delete(f"{url}/vouchers/NEWS5"))

    assert {code["code"]: code["reason"] for code in data["promoCodes"]} == {
        "NEWS5": "UNKNOWN",
        "GIFT-100": "UNKNOWN",
    }
    assert data["totalGross"] == Decimal("22.5")
    assert [code["code"] for code in dropped["promoCodes"]] == ["GIFT-100"]
