"""Past orders repriced on the command line: output, files, and refusals."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from faregate.discounts.kinds import Percentage, PromoCode
from faregate.discounts.pricing_rules import PricingRules
from faregate.frames import reprice
from faregate_cli.reprice import groups as reprice_module
from support.cli.running import ESCAPE, program, run

RULES = """\
currency: CHF
promoCodes:
  - {id: 1, code: TEN, displayName: {en: Ten}, discount: {discountType: PERCENTAGE, percent: 10}}
"""
TEN = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))
ORDERS: dict[str, Any] = {
    "checkout": ["a", "a", "b", "c"],
    "unit_price": [7900, 1250, 4900, 1000],
    "quantity": [2, 1, 1, 3],
    "rate": ["8.1", "2.6", "8.1", "0"],
    "codes": ["ten", "ten", "", "TEN"],
    "product": [11, 12, 11, None],
    "day": [date(2026, 1, 1), date(2026, 1, 1), date(2026, 1, 4), date(2026, 1, 5)],
    "total_gross": [15800, 1250, 4410, 3000],
}


def files(folder: Path, columns: dict[str, Any] = ORDERS, rules: str = RULES) -> tuple[Path, Path]:
    orders, own = folder / "orders.parquet", folder / "rules.yaml"
    pq.write_table(pa.table(columns), orders)
    own.write_text(rules, encoding="utf-8")
    return orders, own


def printed(folder: Path, *options: str | Path, columns: dict[str, Any] = ORDERS, width: int = 80) -> str:
    orders, rules = files(folder, columns)
    result = run("reprice", orders, "--rules", rules, *options, columns=width)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def as_json(folder: Path, *options: str | Path, columns: dict[str, Any] = ORDERS) -> dict[str, Any]:
    return json.loads(printed(folder, "--json", *options, columns=columns), parse_float=Decimal)  # type: ignore[no-any-return]


def faults(
    folder: Path, *options: str | Path, columns: dict[str, Any] = ORDERS, rules: str = RULES
) -> list[str]:
    orders, own = files(folder, columns, rules)
    result = run("reprice", orders, "--rules", own, *options)
    *lines, advice = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (1, "")
    assert advice.startswith("nothing was repriced: correct the ")
    return lines


def test_changes_are_printed_by_group_and_in_total(tmp_path: Path) -> None:
    lines = printed(tmp_path, "--group", "product").splitlines()

    assert lines[0] == "3 checkouts · 4 lines · CHF, gross"
    assert [line.split() for line in lines[2:] if "──" not in line] == [
        ["product", "Lines", "Old", "New", "Difference", "%"],
        ["11", "2", "202.10", "191.20", "-10.90", "-5.39"],
        ["12", "1", "12.50", "11.25", "-1.25", "-10.00"],
        ["(none)", "1", "30.00", "27.00", "-3.00", "-10.00"],
        ["all", "orders", "4", "244.60", "229.45", "-15.15", "-6.19"],
        [],
        ["These", "figures", "assume", "that", "nobody", "changed", "what", "they", "bought."],
        ["Break-even", "elasticity:", "-1.07."],
    ]


def test_without_old_totals_the_new_ones_are_printed(tmp_path: Path) -> None:
    columns = {name: column[:1] for name, column in ORDERS.items() if name != "total_gross"}

    lines = printed(tmp_path, columns=columns).splitlines()

    assert lines[0] == "1 checkout · 1 line · CHF, gross"
    assert [line.split() for line in lines[2:] if "──" not in line] == [
        ["Lines", "List", "price", "Discounts", "New"],
        ["all", "orders", "1", "158.00", "15.80", "142.20"],
    ]


def test_increases_have_a_sign_and_zero_has_no_share(tmp_path: Path) -> None:
    columns = ORDERS | {"total_gross": [0, 0, 0, 0], "product": ["x" * 60, "", "", ""]}

    printed_lines = printed(tmp_path, "--group", "product", columns=columns, width=100).splitlines()

    assert printed_lines[-4].split() == ["all", "orders", "4", "0.00", "229.45", "+229.45"]
    assert printed_lines[-1] == "Break-even elasticity: none."
    assert any(f"{'x' * 37}..." in line for line in printed_lines)


def test_json_has_exact_amounts(tmp_path: Path) -> None:
    found = as_json(tmp_path, "--group", "product", "--group", "day")

    assert {name: value for name, value in found.items() if name != "groups"} == {
        "currency": "CHF",
        "checkouts": 3,
        "lines": 4,
        "listPrice": Decimal("249.5"),
        "discount": Decimal("20.05"),
        "oldTotal": Decimal("244.6"),
        "newTotal": Decimal("229.45"),
        "difference": Decimal("-15.15"),
        "unknownCodes": {},
        "moreUnknownCodes": 0,
        "returns": 0,
        "expected": Decimal("229.45"),
        "breakEven": "-1224726/1142845",
        "by": ["product", "day"],
    }
    assert [(own["group"], own["lines"]) for own in found["groups"]] == [
        ({"product": "11", "day": "2026-W01"}, 2),
        ({"product": "12", "day": "2026-W01"}, 1),
        ({"product": None, "day": "2026-W02"}, 1),
    ]


def test_unknown_values_are_null(tmp_path: Path) -> None:
    columns = {name: column for name, column in ORDERS.items() if name != "total_gross"}

    found = as_json(tmp_path, columns=columns)

    assert (found["oldTotal"], found["difference"], found["groups"]) == (None, None, [])
    assert (found["expected"], found["breakEven"]) == (None, None)


def test_buyers_respond_to_the_price_of_their_group(tmp_path: Path) -> None:
    """All orders: 229.45 (1 + 15.15 / 244.60) is 243.66."""
    shown = " ".join(printed(tmp_path, "--elasticity=-1").split())

    assert (
        "With an elasticity of -1.00, buyers respond with +14.21: the total becomes 243.66 (-0.94)." in shown
    )
    by_product = " ".join(printed(tmp_path, "--group", "product", "--elasticity", "-1").split())
    assert "With an elasticity of -1.00 by product, buyers respond with +14.14: " in by_product


def test_returned_units_are_counted(tmp_path: Path) -> None:
    columns = ORDERS | {"quantity": [2, 1, -1, 3], "total_gross": [15800, 1250, -4410, 3000]}

    found = as_json(tmp_path, columns=columns)

    assert (found["returns"], found["oldTotal"]) == (1, Decimal("156.4"))
    assert found["newTotal"] == Decimal("131.45")  # 229.45 - 2 * 49.00
    amounts = {"total_gross": ["158.00", "12.50", "-44.10", "30.00"]}
    assert as_json(tmp_path, columns=columns | amounts)["oldTotal"] == Decimal("156.4")
    assert "1 return priced as separate orders" in printed(tmp_path, columns=columns)


def with_codes(*codes: str) -> dict[str, Any]:
    """Return orders of one line each with these codes."""
    lines = len(codes)
    figures = {"unit_price": [1000] * lines, "quantity": [1] * lines, "rate": ["0"] * lines}
    return {"checkout": list(range(lines)), **figures, "codes": list(codes)}


def test_unknown_codes_are_counted_and_named(tmp_path: Path) -> None:
    columns = with_codes("old, TEN", "Old new", "ten", "")

    assert printed(tmp_path, columns=columns).splitlines()[-1] == (
        "2 codes that the rules do not define: OLD (2 checkouts), NEW (1 checkout)"
    )
    assert as_json(tmp_path, columns=columns)["unknownCodes"] == {"OLD": 2, "NEW": 1}


def test_codes_in_a_renamed_column_are_counted_too(tmp_path: Path) -> None:
    columns = with_codes("OLD")
    columns["entered"] = columns.pop("codes")

    lines = printed(tmp_path, "--column", "codes=entered", columns=columns).splitlines()

    assert lines[-1] == "1 code that the rules do not define: OLD (1 checkout)"
    assert as_json(tmp_path, columns=columns)["unknownCodes"] == {}


def test_most_frequent_of_many_unknown_codes_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reprice_module, "MAX_GROUPS", 11)
    columns = with_codes(*(f"C{number:02}" for number in range(13)), "C05")

    shown = " ".join(printed(tmp_path, columns=columns).split())

    assert "more than 11 codes that the rules do not define: C05 (2 checkouts), C00 (1 checkout), " in shown
    assert shown.endswith("C09 (1 checkout), and 1 more")
    assert as_json(tmp_path, columns=columns)["moreUnknownCodes"] == 2


@pytest.mark.parametrize(
    ("days", "weeks"),
    [
        (
            pa.array(
                [datetime(2027, 1, 3, 23, tzinfo=UTC), datetime(2027, 1, 4, tzinfo=UTC)] * 2,
                pa.timestamp("us"),
            ),
            ["2026-W53", "2027-W01"],
        ),
        (pa.array([date(2027, 1, 3), date(2027, 1, 4)] * 2, pa.date64()), ["2026-W53", "2027-W01"]),
        (
            pa.array(
                [datetime(2027, 1, 3, 23, 30, tzinfo=UTC), datetime(2027, 1, 3, tzinfo=UTC)] * 2,
                pa.timestamp("us", "Europe/Zurich"),
            ),
            ["2026-W53", "2027-W01"],
        ),
        (pa.array(["b", "a"] * 2).dictionary_encode(), ["a", "b"]),
        (pa.array([True, False] * 2), ["false", "true"]),
    ],
)
def test_dates_are_grouped_by_their_iso_week(tmp_path: Path, days: Any, weeks: list[str]) -> None:
    found = as_json(tmp_path, "--group", "day", columns=ORDERS | {"day": days})

    assert [own["group"]["day"] for own in found["groups"]] == weeks


def test_columns_may_have_other_names_and_old_totals_may_be_decimals(tmp_path: Path) -> None:
    columns = ORDERS | {"total_gross": [Decimal(amount).scaleb(-2) for amount in ORDERS["total_gross"]]}
    columns = {
        {"checkout": "order", "codes": "entered"}.get(name, name): own for name, own in columns.items()
    }

    found = as_json(tmp_path, "--by", "order", "--column", "codes=entered", columns=columns)

    assert (found["oldTotal"], found["newTotal"]) == (Decimal("244.6"), Decimal("229.45"))


def test_the_lines_are_written_with_their_new_figures(tmp_path: Path) -> None:
    output = tmp_path / "new.parquet"

    printed(tmp_path, "--output", output)

    assert pq.read_table(output).equals(reprice(pa.table(ORDERS), TEN, prefix="new_"))


def test_empty_table_of_orders_is_accepted(tmp_path: Path) -> None:
    empty = pa.table(ORDERS).slice(0, 0).to_pydict()
    columns = {name: pa.array(empty[name], pa.table(ORDERS).schema.field(name).type) for name in empty}

    assert as_json(tmp_path, "--group", "product", columns=columns)["newTotal"] == 0


def test_local_dates_follow_from_the_zone(tmp_path: Path) -> None:
    rules = RULES.replace("percent: 10}", "percent: 10}, conditions: {weekdays: [4]}")
    columns = ORDERS | {
        "ordered_at": pa.array([datetime(2026, 3, 25, 23, 30, tzinfo=UTC)] * 4, pa.timestamp("us"))
    }
    orders, own = files(tmp_path, columns, rules)

    result = run("reprice", orders, "--rules", own, "--zone", "Europe/Zurich", "--json")

    assert json.loads(result.stdout)["discount"] == 20.05


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        ({}, ["--by", "order"], "no column 'order' among 'checkout', "),
        ({}, ["--group", "order"], "--group: unknown column 'order', expected one of checkout, "),
        (
            {"product": [1.5] * 4},
            ["--group", "product"],
            "--group: column 'product' is of type double, which ",
        ),
        ({}, ["--column", "key"], "--column: expected one as in unit_price=price_cents, got 'key'"),
        ({}, ["--column", "price=total_gross"], "columns: unknown field 'price', expected unit_price, "),
        (
            {"checkout": ["a", "b", "a", "c"]},
            [],
            "column 'checkout': checkout 'a' occurs again in row 2: sort ",
        ),
        (
            {"total_gross": [1.5] * 4},
            [],
            "column 'total_gross': double is not exact: cast it to decimals or ",
        ),
        ({"total_gross": [None, 1, 2, 3]}, [], "column 'total_gross': null in 1 row: row 0"),
        ({}, ["--zone", "Mars"], "zone: unknown time zone 'Mars', expected an IANA name such as "),
        ({}, ["--elasticity", "half"], "elasticity: 'half' is not a decimal such as '-0.8'"),
        ({}, ["--elasticity", ""], "elasticity: '' is not a decimal such as '-0.8'"),
    ],
)
def test_orders_that_cannot_be_read_are_refused(
    tmp_path: Path, columns: dict[str, Any], options: list[str], said: str
) -> None:
    (line,) = faults(tmp_path, *options, columns=ORDERS | columns)

    assert line.startswith(said)
    assert not (tmp_path / "new.parquet").exists()


def test_issues_of_the_call_and_of_the_rules_are_listed_together(tmp_path: Path) -> None:
    _, rules = files(tmp_path, rules="currency: CHF\npromoCodes:\n  - {id: 1}\npolicy: {stacking: often}\n")

    result = run("reprice", tmp_path / "orders.csv", "--rules", rules, "--column", "=x")

    assert [line.rpartition(tmp_path.name)[2] for line in result.stderr.splitlines()] == [
        "/orders.csv: expected a file named .parquet, .pq",
        "--column: expected one as in unit_price=price_cents, got ''",
        "/rules.yaml:3: promoCodes[0].code: is missing",
        "/rules.yaml:3: promoCodes[0].discount: is missing",
        "/rules.yaml:3: promoCodes[0].displayName: is missing",
        "/rules.yaml:4: policy.stacking: expected sequential, additive, got 'often'",
        "nothing was repriced: correct the 6 faults above and try again",
    ]


def test_too_many_groups_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reprice_module, "MAX_GROUPS", 2)

    assert faults(tmp_path, "--group", "product") == [
        "--group: more than 2 groups of product: name fewer columns"
    ]


@pytest.mark.slow
def test_the_program_prints_no_colours_into_a_file(tmp_path: Path) -> None:
    orders, rules = files(tmp_path)

    done = program("reprice", orders, "--rules", rules)

    assert done.returncode == 0
    assert ESCAPE.encode() not in done.stdout
