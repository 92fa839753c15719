import json
import re
from pathlib import Path

import pytest

from faregate.money.amounts import format_minor_units
from faregate.totals.pipeline import CheckoutTotals
from support.cli.running import BASKET, ESCAPE, GROSS, NET, VILLAGE, basket, bill, price, run

both_bases = pytest.mark.parametrize("channel", [GROSS, NET], ids=["gross", "net"])
every_width = pytest.mark.parametrize("columns", [40, 80, 200])

AMOUNT = re.compile(r"(?<![\w.])[-+]?\d+\.\d\d(?![\w.])")
FIRST_LINE = [
    "Village web shop  1 Dec 2026, 09:15 CET",
    "",
    " +Price +CHF",
    "─{80}",
    "Day ticket · Adult · 27 Dec 2026 +2 x 79.00 +158.00",
    "  Early bird  10 % off.* -15.80",
    "  TEN  10 % off.* -14.22",
    "  FIVE  5.00 off.* -1.37 +126.61",
]


def amounts(text: str) -> set[str]:
    return {match[0].removeprefix("+") for match in AMOUNT.finditer(text)}


def figures_on_a_receipt(totals: CheckoutTotals, *, in_net: bool) -> list[int]:
    return [
        totals.list_price_net if in_net else totals.list_price_gross,
        -totals.auto_discount_amount,
        -totals.promo_code_discount,
        totals.donation,
        totals.total_gross,
        totals.total_net,
        totals.total_subscription_gross,
        *[amount for row in totals.vat_breakdown for amount in row[1:]],
        *[-redemption.amount for redemption in totals.vouchers],
        *[amount for row in totals.prepaid for amount in row[1:]],
        totals.amount_due,
        totals.cash_due,
        *[line.total_net if in_net else line.total_gross for line in totals.lines],
        *[line.list_price_net if in_net else line.list_price_gross for line in totals.lines],
    ]


def test_equal_items_share_one_line_with_its_discounts() -> None:
    result = run("price", BASKET, "--catalogue", VILLAGE, columns=80)

    assert result.exit_code == 0
    assert result.stderr == ""
    for pattern, line in zip(FIRST_LINE, result.stdout.splitlines(), strict=False):
        assert re.fullmatch(pattern, line)


@both_bases
@every_width
def test_receipt_shows_every_amount_of_the_totals(channel: str, columns: int, tmp_path: Path) -> None:
    expected = bill(channel, tmp_path)
    figures = figures_on_a_receipt(expected.priced.totals, in_net=channel == NET)

    shown = amounts(price(basket(channel), columns=columns).stdout)

    assert {format_minor_units(figure, expected.currency) for figure in figures} <= shown


@both_bases
@every_width
@pytest.mark.parametrize("options", [[], ["--explain"], ["--explain=all"]], ids=["receipt", "total", "all"])
def test_output_fits_its_width_without_colours_or_trailing_blanks(
    channel: str, columns: int, options: list[str]
) -> None:
    printed = price(basket(channel), *options, columns=columns).stdout

    lines = printed.splitlines()
    assert ESCAPE not in printed
    assert max(map(len, lines)) <= min(columns, 100)
    assert [line for line in lines if line != line.rstrip()] == []


def test_refused_codes_are_shown_with_reason_and_near_miss() -> None:
    printed = price(basket()).stdout

    assert "BIG not applied  minimum not reached, 9479.21 CHF missing\n" in printed
    assert "NOPE not applied  unknown code\n" in printed


def test_vouchers_show_their_remaining_balance() -> None:
    small = json.loads(basket()) | {
        "items": [{"id": 1, "productVariantId": 121}],
        "codes": ["GIFT50"],
        "donation": 0,
    }

    printed = price(json.dumps(small)).stdout

    assert re.search(r"^Voucher GIFT50  27\.10 left +-22\.90$", printed, re.MULTILINE)
    assert re.search(r"^To pay +0\.00$", printed, re.MULTILINE)


def test_receipt_without_discounts_has_no_inner_column() -> None:
    plain = json.loads(basket()) | {"items": [{"id": 1, "productVariantId": 131}], "codes": [], "donation": 0}

    printed = price(json.dumps(plain)).stdout

    assert re.search(r"^Club pass +1 x 249\.00 +249\.00$", printed, re.MULTILINE)
    assert "List price" not in printed
    assert "not applied" not in printed


def test_a_receipt_says_when_a_subscription_renews() -> None:
    passes = json.loads(basket()) | {
        "items": [{"id": 1, "productVariantId": 131}],
        "codes": [],
        "donation": 0,
    }
    lunch = passes | {"items": [{"id": 1, "productVariantId": 121}]}

    told = price(json.dumps(passes)).stdout.splitlines()[-2:]

    assert told == [
        "Subscription: Every year · starts on 1 Dec 2026 · next billing on 1 Dec 2027",
        "earliest end on 1 Dec 2026",
    ]
    assert "Subscription:" not in price(json.dumps(lunch)).stdout


def test_empty_basket_costs_nothing() -> None:
    empty = json.loads(basket()) | {"items": [], "codes": [], "donation": 0}

    result = price(json.dumps(empty), "--explain")

    assert result.exit_code == 0
    assert re.search(r"^Total +0\.00$", result.stdout, re.MULTILINE)
    assert "Gross" not in result.stdout


@pytest.mark.parametrize("columns", [1, 40, 60, 80])
def test_no_amount_is_ever_cut_off(columns: int, tmp_path: Path) -> None:
    dear = tmp_path / "dear.yaml"
    village = VILLAGE.read_text(encoding="utf-8").replace("amount: 79}", "amount: 9999999999.95}")
    dear.write_text(village.replace("amount: 207.5,", "amount: 9999999999.95,"))

    printed = price(basket(), "--explain=all", catalogue=dear, columns=columns).stdout

    assert {"19999999999.90", "9999999999.95"} <= amounts(printed)
    assert "…" not in printed


def test_currency_without_decimals_is_printed_without_decimals(tmp_path: Path) -> None:
    sold = tmp_path / "tokyo.yaml"
    sold.write_text(
        VILLAGE.read_text(encoding="utf-8").replace("CHF", "JPY").split("autoDiscounts:")[0]
        + "promoCodes: []"
    )
    sold.write_text(re.sub(r"amount: (\d+)\.\d+", r"amount: \1", sold.read_text()))
    order = json.loads(basket()) | {"items": [{"id": 1, "productVariantId": 131}], "codes": [], "donation": 0}

    printed = price(json.dumps(order), catalogue=sold).stdout

    assert re.search(r"^Club pass +1 x 249 +249$", printed, re.MULTILINE)
    assert re.search(r"^8\.1 % +230 +19 +249$", printed, re.MULTILINE)
