"""What orders cannot be repriced, and that the message says where: column, number, first rows."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from faregate.discounts import AutomaticDiscount, BuyXGetY, Conditions, Percentage, PromoCode, Scope
from faregate.errors import InvalidInput, InvalidLines, UnknownCurrency
from faregate.frames import Lines, order_streams, reprice, totals
from faregate.rounding import RoundingMode
from faregate.rules import Rules
from frames.engines import Engine, eager_engines, every_engine

LINES: dict[str, Any] = {
    "checkout": ["a", "b", "b"],
    "unit_price": [1000, 5, 7],
    "quantity": [1, 2, 1],
    "rate": [0, 0, 0],
}
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
CHF = {"currency": "CHF"}


def limited(scope: Scope = Scope(), **conditions: Any) -> Rules:  # noqa: B008
    kind = Percentage.percent(10)
    return Rules(
        automatic=(AutomaticDiscount(id=1, kind=kind, scope=scope, conditions=Conditions(**conditions)),)
    )


TIMES = limited(starts_at=datetime(2026, 1, 1, tzinfo=UTC), weekdays=frozenset({1}))


def faults(columns: Any, rules: Rules = Rules(), **reading: Any) -> tuple[str, ...]:  # noqa: B008
    with pytest.raises(InvalidInput) as refused:
        totals(pa.table(columns), rules=rules, **reading)
    return refused.value.faults


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("columns", "rules", "reading", "message"),
    [
        ({"checkout": ["a", None, None]}, Rules(), {}, "column 'checkout': null in 2 rows: row 1, row 2"),
        ({"unit_price": [1, None, 2]}, Rules(), {}, "column 'unit_price': null in 1 row: row 1"),
        (
            {"unit_price": [1, -5, -6]},
            Rules(),
            {},
            "column 'unit_price': below 0 in 2 rows: row 1 (-5), row 2 (-6)",
        ),
        (
            {"unit_price": [1, 10**12 + 1, 2]},
            Rules(),
            {},
            "column 'unit_price': beyond 1000000000000 in 1 row: row 1 (1000000000001)",
        ),
        (
            {"unit_price": pa.array([1, 2**64 - 1, 2], pa.uint64())},
            Rules(),
            {},
            "column 'unit_price': beyond 9223372036854775807 in 1 row: row 1",
        ),
        (
            {"unit_price": ["1", "1.234", None]},
            Rules(),
            CHF,
            "column 'unit_price': no amount of CHF in 1 row: row 1 (1.234 has more ",
        ),
        (
            {"unit_price": [1.5, float("nan"), float("inf")]},
            Rules(),
            CHF | {"rounding": RoundingMode.HALF_UP},
            "column 'unit_price': infinite in 1 row: row 2 (inf)",
        ),
        (
            {"quantity": [1, 0, -1]},
            Rules(),
            {},
            "column 'quantity': below 1 in 2 rows: row 1 (0), row 2 (-1)",
        ),
        ({"quantity": [1, None, 1]}, Rules(), {}, "column 'quantity': null in 1 row: row 1"),
        ({"rate": [0, -1, 0]}, Rules(), {}, "column 'rate': below 0 in 1 row: row 1 (-1)"),
        ({"rate": [0, 10**6 + 1, 0]}, Rules(), {}, "column 'rate': beyond 1000000 in 1 row: row 1 (1000001)"),
        ({"rate": ["0", None, "1"]}, Rules(), {}, "column 'rate': null in 1 row: row 1"),
        ({"key": [1, 4, 4]}, Rules(), {}, "column 'key': used twice in a checkout in 1 row: row 2 (4)"),
        ({"floor_price": [1, -1, 1]}, Rules(), {}, "column 'floor_price': below 0 in 1 row: row 1 (-1)"),
        (
            {"donation": [1, 2, 3]},
            Rules(),
            {},
            "column 'donation': another than in the row of the checkout before in 1 row: row 2",
        ),
        (
            {"codes": ["x", "ten", None]},
            Rules(promo_codes=(TEN,)),
            {},
            "column 'codes': another than in the row of the checkout before in 1 row: row 2",
        ),
        (
            {"codes": [["x"], ["ten", None], ["ten", None]]},
            Rules(promo_codes=(TEN,)),
            {},
            "column 'codes': null among the codes in 2 rows: row 1, row 2",
        ),
        (
            {"channel": ["WEB", None, None]},
            limited(channels=frozenset({"WEB"})),
            {},
            "column 'channel': null in 2 rows: row 1, row 2",
        ),
    ],
)
def test_values_that_cannot_be_are_named_with_their_rows(
    columns: dict[str, Any], rules: Rules, reading: dict[str, Any], message: str
) -> None:
    assert any(fault.startswith(message) for fault in faults(LINES | columns, rules, **reading))


def test_a_line_is_no_larger_than_an_amount() -> None:
    assert faults(LINES | {"unit_price": [10**12, 1, 1], "quantity": [2, 1, 1]}) == (
        "column 'unit_price': beyond 1000000000000 with its quantity in 1 row: row 0",
    )


def test_a_rate_that_is_none_is_named() -> None:
    (fault,) = faults(LINES | {"rate": ["8.1", "many", "101"]})

    assert fault.startswith("column 'rate': no rate in percent in 2 rows: row 1 (")


def test_times_that_cannot_be_are_named() -> None:
    instants = pa.array([datetime(2026, 3, 25, tzinfo=UTC), None, None], pa.timestamp("us", "UTC"))
    days = [date(2026, 3, 27), date(2026, 3, 25), None]

    assert faults(LINES | {"ordered_at": instants, "ordered_on": days}, TIMES) == (
        "column 'ordered_at': null in 2 rows: row 1, row 2",
        "column 'ordered_on': another than in the row of the checkout before in 1 row: row 2",
        "column 'ordered_on': no date of ordered_at anywhere in 2 rows: row 0, row 1",
        "column 'ordered_on': null in 1 row: row 2",
    )


@pytest.mark.parametrize(
    ("hours", "is_possible"), [(-15, False), (-14, True), (0, True), (35, True), (36, False), (60, False)]
)
def test_a_local_date_is_one_that_some_zone_has(*, hours: int, is_possible: bool) -> None:
    midnight = datetime(2026, 3, 25, tzinfo=UTC)
    instants = pa.array([midnight + timedelta(hours=hours)] * 3, pa.timestamp("us", "UTC"))
    table = pa.table(LINES | {"ordered_at": instants, "ordered_on": [midnight.date()] * 3})

    if is_possible:
        assert len(reprice(table, TIMES)) == 3
    else:
        with pytest.raises(InvalidLines, match="no date of ordered_at anywhere in 2 rows: row 0, row 1"):
            reprice(table, TIMES)


@eager_engines
def test_all_faults_of_all_columns_are_told_together(engine: Engine) -> None:
    table = pa.table(LINES | {"unit_price": [-1, 5, -7], "quantity": [0, 1, 1], "rate": ["x", "8.1", "x"]})

    with pytest.raises(InvalidLines) as refused:
        reprice(engine.take(table), Rules())

    quantity, rate, price = refused.value.faults
    assert quantity == "column 'quantity': below 1 in 1 row: row 0 (0)"
    assert rate.startswith("column 'rate': no rate in percent in 2 rows: row 0 (")
    assert price == "column 'unit_price': below 0 in 2 rows: row 0 (-1), row 2 (-7)"


def test_of_many_faults_five_rows_are_named_and_all_are_counted() -> None:
    table = LINES | {
        "checkout": list(range(9)),
        "quantity": [0] * 9,
        "rate": [0] * 9,
        "unit_price": ["x", *"yx" * 4],
    }

    assert faults(table, currency="CHF") == (
        "column 'quantity': below 1 in 9 rows: row 0 (0), row 1 (0), row 2 (0), row 3 (0), row 4 (0), …",
        "column 'unit_price': no amount of CHF in 9 rows: "
        + ", ".join(f"row {row} ('{'yx'[row % 2 == 0]}' is no amount)" for row in range(5))
        + ", …",
    )


def test_rows_without_an_order_are_named_by_their_checkout() -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = pa.table(LINES | {"key": [1, 1, 2], "quantity": [1, 0, 1]}).to_pandas()

    found = reprice(dd.from_pandas(frame, npartitions=1), Rules())

    with pytest.raises(InvalidLines, match=r"^column 'quantity': below 1 in 1 row: checkout 'b' \(0\)$"):
        found.compute()


def test_rows_of_a_long_table_are_counted_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_streams, "STREAM_ROWS", 2)
    table = LINES | {"checkout": [1, 2, 3], "quantity": [0, 1, 0]}

    assert faults(table) == ("column 'quantity': below 1 in 2 rows: row 0 (0), row 2 (0)",)
    assert faults(table | {"checkout": [1, None, 2]}) == ("column 'checkout': null in 1 row: row 1",)


# ---------------------------------------------------------------- checkouts that come again


@eager_engines
@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["b", "a", "b"], "checkout 'b' comes again in row 2: "),
        (["a", "b", "a"], "checkout 'a' comes again in row 2: "),
    ],
)
def test_a_checkout_that_comes_again_is_named(engine: Engine, ids: list[str], message: str) -> None:
    frame = engine.take(pa.table(LINES | {"checkout": ids}))

    with pytest.raises(InvalidInput) as refused:
        reprice(frame, Rules(), lines=Lines.TOGETHER)

    assert message in str(refused.value)


def test_several_that_come_again_are_counted() -> None:
    columns = {"checkout": [2, 1, 2, 1], "unit_price": [1] * 4, "quantity": [1] * 4, "rate": [0] * 4}

    (fault,) = faults(columns, lines=Lines.TOGETHER)

    assert fault == (
        "column 'checkout': checkout 2 comes again in row 2, and 1 more: "
        "sort the lines by checkout, or say that they are scattered"
    )


# ---------------------------------------------------------------- columns


@every_engine
@pytest.mark.parametrize(
    ("columns", "rules", "reading", "message"),
    [
        (
            {},
            Rules(),
            {"by": "order"},
            "no column 'order' among 'checkout', 'unit_price', 'quantity', 'rate'",
        ),
        (
            {},
            limited(Scope(products=frozenset({1}))),
            {},
            "no column 'product', which the rules look at, among ",
        ),
        ({}, limited(Scope(lines=frozenset({1}))), {}, "no column 'key', which the rules look at, among "),
        ({}, limited(accounts=frozenset({1})), {}, "no column 'account', which the rules look at, among "),
        ({}, limited(Scope(max_lead_days=1)), {}, "no column 'ordered_on', which the rules look at, among "),
        (
            {},
            limited(Scope(max_lead_days=1)),
            {"zone": "UTC"},
            "no column 'ordered_at', which the rules look at, among ",
        ),
        ({}, Rules(), {"columns": {"key": "line"}}, "no column 'line' among "),
        ({}, Rules(), {"columns": {"rate": None}}, "no column 'rate' among "),
        ({}, Rules(), {"columns": {"price": "x"}}, "columns: there is no field 'price', only unit_price, "),
        (
            {},
            Rules(),
            {"zone": "Mars/Olympus"},
            "zone: there is no 'Mars/Olympus', give one as in Europe/Zurich",
        ),
        (
            {"total_net": [1, 2, 3]},
            Rules(),
            {},
            "column 'total_net': a result is called so, too; rename it, or ",
        ),
        ({"checkout": [0.5, 1, 2]}, Rules(), {}, "column 'checkout': expected ids, got double"),
        (
            {"unit_price": ["1", "2", "3"]},
            Rules(),
            {},
            "column 'unit_price': expected ints of minor units, or a currency to be named, got ",
        ),
        (
            {"unit_price": [0.5, 1, 2]},
            Rules(),
            CHF,
            "column 'unit_price': expected ints, decimals or texts, or a rounding to be named, got double",
        ),
        (
            {"unit_price": [True, False, True]},
            Rules(),
            CHF,
            "column 'unit_price': expected ints of minor units, or decimals or texts of a currency, got bool",
        ),
        ({"quantity": ["1", "2", "3"]}, Rules(), {}, "column 'quantity': expected ints, got "),
        (
            {"rate": [8.1, 2.6, 0]},
            Rules(),
            {},
            "column 'rate': expected decimals or texts in percent, or ints in ",
        ),
        ({"discountable": [1, 0, 1]}, Rules(), {}, "column 'discountable': expected booleans, got int64"),
        (
            {"codes": [1, 2, 3]},
            Rules(promo_codes=(TEN,)),
            {},
            "column 'codes': expected texts, or lists of them, got int64",
        ),
        (
            {"channel": [1, 2, 3]},
            limited(channels=frozenset({"WEB"})),
            {},
            "column 'channel': expected texts, got int64",
        ),
        (
            {"ordered_on": ["x", "y", "z"], "ordered_at": ["x", "y", "z"]},
            TIMES,
            {},
            "column 'ordered_at': expected instants, with a zone or in UTC, got ",
        ),
    ],
)
def test_columns_that_cannot_be_read_are_refused_before_any_value_is(
    engine: Engine, columns: dict[str, Any], rules: Rules, reading: dict[str, Any], message: str
) -> None:
    reading = {"lines": Lines.TOGETHER} | reading
    frame = engine.take(pa.table(LINES | columns))

    with pytest.raises(InvalidInput) as refused:
        reprice(frame, rules, **reading)

    assert message in str(refused.value)


def test_faults_of_columns_are_told_together() -> None:
    table = pa.table({"checkout": [1], "unit_price": [0.5]})

    with pytest.raises(InvalidInput) as refused:
        reprice(table, limited(Scope(products=frozenset({1}))))

    assert [fault.partition(",")[0].partition(" among")[0] for fault in refused.value.faults] == [
        "no column 'quantity'",
        "no column 'rate'",
        "no column 'product'",
    ]


def test_of_ints_beside_null_pandas_users_are_told_what_became() -> None:
    frame = pd.DataFrame(LINES | {"quantity": [1, None, 1]})

    with pytest.raises(
        InvalidInput, match=r"got double \(pandas makes binary fractions of ints beside null: make"
    ):
        reprice(frame, Rules())


def test_objects_of_several_types_are_refused() -> None:
    frame = pd.DataFrame(LINES | {"unit_price": pd.Series([Decimal(1), "x", 1], dtype=object)})

    with pytest.raises(InvalidInput, match=r"^column 'unit_price': no column of one type: "):
        reprice(frame, Rules(), currency="CHF")


def test_scattered_lines_without_keys_are_left_to_no_chance() -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(pd.DataFrame(LINES), npartitions=2)

    with pytest.raises(
        InvalidInput, match=r"^no column 'key': lines that this engine brings together have no order"
    ):
        reprice(frame, Rules())


def test_a_currency_of_one_own_making_is_unknown() -> None:
    with pytest.raises(UnknownCurrency, match="'XYZ'"):
        reprice(pa.table(LINES), Rules(), currency="XYZ")


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^expected a frame of pandas, .*, got list$"):
        reprice([1], Rules())


def test_zones_may_also_be_folders() -> None:
    assert faults(LINES, zone="Europe") == ("zone: there is no 'Europe', give one as in Europe/Zurich",)


def test_rewards_are_looked_at() -> None:
    gift = AutomaticDiscount(id=1, kind=BuyXGetY(1, 1, rewards=Scope(variants=frozenset({5}))))

    (fault,) = faults(LINES, Rules(automatic=(gift,)))

    assert fault.startswith("no column 'variant', which the rules look at, among ")
