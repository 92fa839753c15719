import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from faregate_cli.terminal.json_text import json_text
from support.cli.running import GROSS, NET, basket, bill, price, program

both_bases = pytest.mark.parametrize("channel", [GROSS, NET], ids=["gross", "net"])


def priced(channel: str = GROSS, *options: str) -> dict[str, Any]:
    """Return the parsed output with exact numbers."""
    result = price(basket(channel), "--json", *options)
    assert result.exit_code == 0
    assert result.stderr == ""
    answer: dict[str, Any] = json.loads(result.stdout, parse_float=Decimal, parse_int=Decimal)
    return answer


def test_a_subscription_is_described_as_in_the_http_api() -> None:
    assert priced()["subscriptionConfiguration"] == {
        "startsOn": "2026-12-01T00:00:00+01:00",
        "nextBillingDate": "2027-12-01T00:00:00+01:00",
        "hasPickup": False,
        "startConfiguration": "CURRENT_DAY",
        "minimalRunPeriods": 0,
        "renewal": {"period": "YEARLY", "day": None, "month": None, "daysAmount": None},
    }


def test_a_voucher_that_can_pay_nothing_has_a_reason() -> None:
    asked = json.loads(basket()) | {
        "items": [{"id": 1, "productVariantId": 131}],
        "codes": ["MEAL", "GIFT50"],
    }

    told = json.loads(price(json.dumps(asked), "--json").stdout)["vouchers"]

    assert told == [
        {"code": "MEAL", "system": "VOUCHER_B", "amount": 0, "reason": "NOT_APPLICABLE"},
        {"code": "GIFT50", "system": "VOUCHER_B", "amount": 50},
    ]


def test_explanation_is_included_only_on_request() -> None:
    assert "explanation" not in priced()
    assert [entry["displayName"] for entry in priced(GROSS, "--explain")["explanation"]["passedOver"]] == [
        "Small change"
    ]


@both_bases
def test_numbers_have_at_most_the_decimals_of_the_currency(channel: str) -> None:
    text = price(basket(channel), "--json", "--explain").stdout

    tokens = re.findall(r'": (-?\d+\.[^,\n]*)', text)

    assert len(tokens) > 50
    assert [token for token in tokens if len(token.partition(".")[2]) > 2 or token.endswith("0")] == []
    assert [token for token in tokens if repr(float(token)) != token] == []


def test_promo_codes_have_the_shapes_of_decisions_3_7() -> None:
    ten, five, big, nope = priced()["promoCodes"]

    assert ten == {
        "id": 21,
        "code": "TEN",
        "displayName": "Ten percent",
        "description": "",
        "discount": 10,
        "discountType": "PERCENTAGE",
        "valid": True,
        "totalAmount": Decimal("52.08"),
    }
    assert (five["discountType"], five["discount"], five["totalAmount"]) == ("ABSOLUTE", 5, 5)
    assert big == {
        "code": "BIG",
        "valid": False,
        "totalAmount": 0,
        "reason": "MINIMUM_NOT_REACHED",
        "missing": {"spend": Decimal("9479.21")},
    }
    assert nope == {"code": "NOPE", "valid": False, "totalAmount": 0, "reason": "UNKNOWN"}


@pytest.mark.parametrize(
    ("code", "kind", "configured"),
    [
        ("3FOR2", "BUY_X_GET_Y", "100"),
        ("MENU", "FIXED_PRICE", "20"),
        ("TEN", "PERCENTAGE", "10"),
        ("SET", "BUNDLE", "20"),
        ("PAIR", "BUNDLE", "20"),
    ],
)
def test_discount_is_the_configured_number(code: str, kind: str, configured: str) -> None:
    order = json.loads(basket()) | {"codes": [code]}

    answer = json.loads(price(json.dumps(order), "--json").stdout)

    (entry,) = answer["promoCodes"]
    assert (entry["discountType"], entry["discount"], entry["valid"]) == (kind, Decimal(configured), True)


@pytest.mark.parametrize(
    ("code", "missing"),
    [("LATER", {"until": "2099-01-01T00:00:00+01:00"}), ("3FOR2", {"quantity": 2})],
)
def test_refused_code_says_what_is_missing(code: str, missing: dict[str, object]) -> None:
    order = json.loads(basket())
    order |= {"items": [item for item in order["items"] if item["id"] in {1, 3}], "codes": [code]}

    (entry,) = json.loads(price(json.dumps(order), "--json").stdout)["promoCodes"]

    assert entry["missing"] == missing


def test_item_has_its_details_its_parent_and_its_children() -> None:
    items = {item["id"]: item for item in priced()["items"]}

    assert items[1]["validity"] == {"from": "2026-12-27T00:00:00+01:00", "to": "2026-12-28T00:00:00+01:00"}
    assert items[1]["autoDiscount"]["displayName"] == "Early bird"
    assert items[1]["productVariant"]["product"]["translation"] == "Day ticket"
    assert items[1]["vatRate"] == Decimal("8.1")
    assert items[7]["validity"] is None
    assert items[7]["autoDiscount"] is None
    assert items[9]["parentItem"] == {"id": 8, "productVariantId": 131}
    assert items[8]["childItems"] == [{"id": 9, "productVariantId": 141}]


def test_empty_basket_has_no_donation_and_empty_lists() -> None:
    order = json.loads(basket()) | {"items": [], "codes": [], "donation": 0}

    answer = json.loads(price(json.dumps(order), "--json", "--explain").stdout)

    assert answer["donation"] is None
    assert (answer["items"], answer["promoCodes"], answer["vouchers"], answer["totalGross"]) == (
        [],
        [],
        [],
        0,
    )


@pytest.mark.slow
def test_json_is_reproducible_byte_for_byte() -> None:
    first, second = (program("price", "-", text=demo()).stdout for _ in range(2))

    assert first == second


def demo() -> bytes:
    return b"""{"channel": "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77", "orderedAt": "2026-12-01T09:15:00+01:00",
    "items": [{"id": 1, "productVariantId": 101, "validity": {"from": "2026-12-27", "to": "2026-12-27"}}]}"""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("1E+3"), "1000"),
        (Decimal("0.0001"), "0.0001"),
        (Decimal("123456789012345678901.05"), "123456789012345678901.05"),
        (True, "true"),
        (None, "null"),
        ("a\u202eb\x1b", '"a\\u202eb\\u001b"'),
        ({}, "{}"),
        ((), "[]"),
    ],
)
def test_single_values_are_written_as_json(value: Any, text: str) -> None:
    assert json_text(value) == text


@both_bases
def test_amounts_equal_those_of_the_core(channel: str, tmp_path: Path) -> None:
    totals = bill(channel, tmp_path).priced.totals

    assert priced(channel)["totalGross"] * 100 == totals.total_gross
    assert priced(channel)["amountDue"] * 100 == totals.amount_due


def test_a_figure_carried_from_a_line_names_the_line() -> None:
    explained = json.loads(price(basket(), "--explain", "--json").stdout)["explanation"]

    assert explained["checkout"]["listPriceGross"][0]["source"] == "line 1"
