"""Printed and stored refund quotes, and calls that are refused."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from faregate.documents import dump, load
from faregate.refunds import (
    PaidOrder,
    PayoutOrder,
    RefundBasis,
    RefundPolicy,
    ReturnedUnits,
    refund_quote,
)
from support.cli.running import BASKET, ESCAPE, VILLAGE, price, run, told
from support.documents.stored_values import GOLDEN, VALUES, golden

ORDER = GOLDEN / "paid_order-1.json"
POLICY = ("--policy", str(GOLDEN / "refund_policy-1.json"))
QUOTE = GOLDEN / "refund_quote-1.json"
RETURN = ("--items", "1:1", "--items", "2", "--at", "2026-10-24T12:00:00+02:00", *POLICY)


def refund(*options: str | Path, order: Path = ORDER, columns: int = 80) -> str:
    """Return the output of a valid call."""
    result = run("refund", order, *options, columns=columns)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def quoted(*options: str | Path, order: Path = ORDER) -> Any:
    return load(json.loads(refund(*options, "--json", order=order)))


EXPLAINED = """\
refund of 49.65 CHF · 4 units · 24 Oct 2026, 12:00 UTC+02:00

        Units   Paid   Kept     Fee  Refund
───────────────────────────────────────────
Line 1      1  70.10   0.00  -35.05   35.05
Line 2      3  21.00  -8.40    0.00   12.60

VAT           Net    Tax   Gross
────────────────────────────────
0 %         12.60   0.00   12.60
8.1 %       64.84   5.26   70.10
Donation     2.00   0.00    2.00
Fee 8.1 %  -32.42  -2.63  -35.05

Paid back with    CHF
─────────────────────
Voucher GIFT    49.65

SPRING  4.00 of its budget to give back

Where the refund comes from            CHF
──────────────────────────────────────────
  paid for 1 unit             70.10
  fee                        -35.05
= Line 1                             35.05
──────────────────────────────────────────
  paid for 3 units            21.00
  not refundable              -8.40
= Line 2                             12.60
──────────────────────────────────────────
  line 1                      35.05
  line 2                      12.60
  donation                     2.00
= Refund                             49.65
"""

THE_REST = """\
refund of 7010 minor units · 1 unit · 24 Oct 2026, 12:00 UTC+02:00

        Units  Paid  Refund
───────────────────────────
Line 1      1  7010    7010

VAT     Net  Tax  Gross
───────────────────────
8.1 %  6485  525   7010

Paid back with  minor units
───────────────────────────
cash                   5000
card                   2010

SPRING  100 of its budget and 1 use to give back
"""


def test_a_quote_is_printed_to_the_letter() -> None:
    assert refund(*RETURN, "--currency", "CHF", "--explain") == EXPLAINED


def test_the_rest_is_printed_to_the_letter() -> None:
    rest = ("--items", "1:0", "--refunded", QUOTE, "--at", "2026-10-24T12:00:00+02:00")

    assert refund(*rest) == THE_REST


@pytest.mark.parametrize("columns", [16, 40, 80, 200])
def test_no_width_loses_an_amount(columns: int) -> None:
    text = refund(*RETURN, "--currency", "CHF", "--explain", columns=columns)

    assert re.findall(r"-?\d+\.\d\d", text) == re.findall(r"-?\d+\.\d\d", EXPLAINED)
    assert "…" not in text


def test_a_rest_at_another_price_has_a_column(tmp_path: Path) -> None:
    floor = stored(tmp_path / "floor.json", RefundPolicy(basis=RefundBasis.FLOOR))

    head, row = refund("--items", "2:0", "--policy", floor).splitlines()[2::2][:2]

    assert head.split() == ["Units", "Paid", "Repriced", "Refund"]
    assert row.split() == ["Line", "2", "1", "700", "-700", "0"]


def test_a_name_in_an_order_cannot_reach_the_terminal(tmp_path: Path) -> None:
    order = changed(tmp_path / "order.json", lambda data: data["payments"][1].update(name=f"{ESCAPE}[31m"))

    assert ESCAPE not in refund("--items", "1", order=order)


def stored(file: Path, value: object) -> Path:
    file.write_text(json.dumps(dump(value)), encoding="utf-8")
    return file


def changed(file: Path, change: Callable[[Any], object]) -> Path:
    data = golden("faregate.paid_order/1")
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def test_the_quotes_of_an_order_are_passed_on_and_add_up(tmp_path: Path) -> None:
    order: PaidOrder = VALUES["faregate.paid_order/1"]
    first, second = quoted("--items", "1:0"), tmp_path / "second.json"
    earlier = ("--refunded", stored(tmp_path / "first.json", first), "--refunded", second)
    stored(second, quoted("--items", "1:1", *earlier[:2]))

    third = quoted("--items", "2", *earlier)

    amounts = [first.amount, load(json.loads(second.read_text("utf-8"))).amount, third.amount]
    assert sum(amounts) == order.totals.total_gross - order.totals.donation


def test_the_command_gives_the_quote_of_the_core() -> None:
    at = datetime(2026, 10, 25, 9, tzinfo=UTC)
    expected = refund_quote(
        VALUES["faregate.paid_order/1"],
        [ReturnedUnits(line=1, units=(0,))],
        policy=VALUES["faregate.refund_policy/1"],
        at=at,
        refunded=[VALUES["faregate.refund_quote/1"]],
    )

    assert json.loads(refund(*RETURN, "--json")) == golden("faregate.refund_quote/1")
    assert (
        quoted("--items", "1:0", "--refunded", QUOTE, "--at", at.isoformat().replace("+00:00", "Z"), *POLICY)
        == expected
    )


def test_totals_were_paid_with_one_means_of_payment(tmp_path: Path) -> None:
    result = price(BASKET.read_text("utf-8"), "--document")
    order = tmp_path / "order.json"
    order.write_text(result.stdout, encoding="utf-8")
    totals = load(json.loads(result.stdout))
    policy = stored(tmp_path / "policy.json", RefundPolicy(payout_order=PayoutOrder.PROPORTIONAL))

    found = quoted("--items", "1:0", "--policy", policy, order=order)

    assert [pay.name for pay in found.payments] == ["payment"]
    assert 0 < found.payments[0].amount <= totals.amount_due


@pytest.mark.parametrize("option", ["--json", "--explain", "--explain=all"])
def test_a_document_of_totals_has_nothing_else(option: str) -> None:
    result = run("price", BASKET, "--catalogue", VILLAGE, "--document", option)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "leave out --json and --explain" in " ".join(result.stderr.split())


def test_a_quote_in_json_has_no_explanation() -> None:
    result = run("refund", ORDER, "--items", "1", "--json", "--explain")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "leave out --explain or --json" in result.stderr


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--items", "9"], ["--items 9: unknown line 9, expected one of [1, 2]"]),
        (["--items", "1:0", "--items", "1:0"], ["--items 1:0: unit 0 of line 1 is returned already"]),
        (
            ["--items", "2", "--refunded", str(QUOTE)],
            [f"--items 2: unit {unit} of line 2 is returned already" for unit in range(3)],
        ),
        (
            ["--items", "1:0", "--refunded", str(QUOTE), "--refunded", str(QUOTE)],
            [f"{QUOTE}: an earlier quote has units of line {line} that this one has too" for line in (1, 2)],
        ),
        (
            [
                "--items",
                "1;0",
                "--at",
                "2026-10-24",
                "--currency",
                "XXQ",
                "--policy",
                "a.json",
                "--refunded",
                "b",
            ],
            [
                "a.json: the file cannot be read: No such file or directory",
                "b: the file cannot be read: No such file or directory",
                "--items: expected a line, as in 2, or units of a line, as in 2:0,3, got '1;0'",
                "--at: expected a date-time such as 2026-12-27T00:00:00+01:00, got '2026-10-24'",
                "--currency: unknown currency 'XXQ'; expected an ISO 4217 code such as CHF",
            ],
        ),
        (
            ["--items", "1", "--at", "2026-10-24T12:00:00"],
            [
                "--at: 2026-10-24T12:00:00 has no UTC offset: write it as in 2026-12-27T00:00:00+01:00",
            ],
        ),
        (
            ["--items", "1", "--policy", str(ORDER)],
            [f"{ORDER}: format: expected faregate.refund_policy/1, got 'faregate.paid_order/1'"],
        ),
    ],
)
def test_every_fault_of_a_call_is_named(given: list[str], said: list[str], options: list[str]) -> None:
    result = run("refund", ORDER, *given, *options)

    assert (result.exit_code, result.stdout) == (1, "")
    assert told(result) == (said, "nothing was quoted")


def test_a_quote_of_another_order_is_refused(tmp_path: Path) -> None:
    order = tmp_path / "order.json"
    order.write_text(price(BASKET.read_text("utf-8"), "--document").stdout, encoding="utf-8")

    result = run("refund", order, "--items", "1", "--refunded", QUOTE)

    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{QUOTE}: line 1 does not fit the order" in told(result)[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": the file is empty"),
        ("two adults", ":1:1: Expecting value"),
        ("[]", ": expected a document, which is a JSON object, got []"),
        ("{}", ": format: expected faregate.paid_order/1 or faregate.totals/1, got nothing"),
        ('{"format": 1}', ": format: expected faregate.paid_order/1 or faregate.totals/1, got 1"),
        (
            '{"format": "faregate.paid_order/2"}',
            ": format: 'faregate.paid_order/2' is newer than this version of faregate, which reads up to",
        ),
        ('{"format": "faregate.totals/1", "format": "faregate.totals/1"}', ": format: duplicate key"),
        ("[" * 100_000, ": nested deeper than 64 levels"),
    ],
)
def test_a_file_that_is_no_order_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "order.json"
    file.write_text(text, encoding="utf-8")

    result = run("refund", file, "--items", "1")

    assert (result.exit_code, result.stdout) == (1, "")
    (fault,), _ = told(result)
    assert fault.startswith(str(file))
    assert said in fault


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(payments=5), "payments: expected a list, got 5"),
        (
            lambda data: data["payments"][0].update(amount=1),
            "payments: expected payments of 11320 in total, the amount due, got 6321",
        ),
        (lambda data: data["payments"][0].update(total=1), "payments[0].total: unknown key"),
        (
            lambda data: data["totals"]["lines"][0].update(totalNet=1),
            "totals.lines[0].totalNet: 1 is stored, but the stored rules give 12969",
        ),
        (
            lambda data: data["totals"]["lines"].pop(),
            "totals.lines: a list of 1 is stored, but the stored rules give a list of 2",
        ),
        (
            lambda data: data["totals"]["request"].update(context={}),
            "the stored rules give no price: a discount",
        ),
    ],
)
def test_an_order_that_was_changed_is_refused(
    change: Callable[[Any], object], said: str, tmp_path: Path
) -> None:
    file = changed(tmp_path / "order.json", change)

    result = run("refund", file, "--items", "1")

    assert (result.exit_code, result.stdout) == (1, "")
    (fault,), _ = told(result)
    assert fault.startswith(f"{file}: {said}")
