"""Refusals, with the location in the message: column, number, first rows or groups."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import pandas as pd
import pyarrow as pa
import pytest

from faregate.errors import InvalidAmount, InvalidInput
from faregate.frames import Negatives, engines, price_counts
from faregate.money.rounding import RoundingMode
from support.frames.engines import Engine, eager_engines, every_engine, lazy_engines

SEASONS = ["winter", "summer", "summer", "winter"]
CHF: dict[str, Any] = {"currency": "CHF"}
HALF_UP = {"rounding": RoundingMode.HALF_UP}
EXPECTED = "column 'price': expected ints, decimals, strings or Float64"
OTHERS = "by: expected other columns than 'price', each once, got "
BEYOND = "beyond 1000000000000 minor units in 1 row: row 0"
PLAIN = "; write plain decimals such as 1234.50, without separators or currency"
THREE = (
    "row 1 (12.345 has more decimals than CHF, which has 2), "
    "row 2 ('1e3' has an exponent: write the amount in full), row 3 ('x' is not an amount)"
)
YEN = "not an amount of JPY in 1 row: row 0 (1.5 has more decimals than JPY, which has 0)"
WITHOUT = "; if these rows have no price, leave them out: nulls=Nulls.LEFT_OUT"
REFUNDS = "; if these are refunds, allow them: negatives=Negatives.ALLOWED"


def message_of(frame: Any, **options: Any) -> str:
    with pytest.raises(InvalidAmount) as refused:
        price_counts(frame, price="price", **options)
    return str(refused.value)


# ---------------------------------------------------------------- values


@eager_engines
@pytest.mark.parametrize(
    ("prices", "options", "message"),
    [
        ([5, -1, 7, -2], {}, f"below 0 in 2 rows: row 1 (-1), row 3 (-2){REFUNDS}"),
        ([10**12 + 1], {}, f"{BEYOND} (1000000000001)"),
        ([-(10**12) - 1, -(10**12)], {"negatives": Negatives.ALLOWED}, f"{BEYOND} (-1000000000001)"),
        (["5", "12.345", "1e3", "x"], CHF, f"not an amount of CHF in 3 rows: {THREE}{PLAIN}"),
        ([Decimal("1.5"), Decimal("2.0")], {"currency": "JPY"}, YEN),
        ([1.5, float("inf")], CHF | HALF_UP, "infinite in 1 row: row 1 (inf)"),
        ([1.5, None], CHF | HALF_UP, f"null or NaN in 1 row: row 1{WITHOUT}"),
    ],
)
def test_values_that_are_not_prices_are_named_with_their_rows(
    engine: Engine, prices: list[Any], options: dict[str, Any], message: str
) -> None:
    frame = engine.take(pa.table({"price": prices}))

    assert message_of(frame, **options) == f"column 'price': {message}"


@eager_engines
def test_nulls_are_named_with_their_rows(engine: Engine) -> None:
    if engine.name == "pandas":
        pytest.skip("pandas makes binary fractions of such a column before it comes here")
    frame = engine.take(pa.table({"price": [5, None, 7, None]}))

    assert message_of(frame) == f"column 'price': null or NaN in 2 rows: row 1, row 3{WITHOUT}"


@pytest.mark.slow
@eager_engines
def test_five_of_many_invalid_rows_are_named_and_all_are_counted(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": [7] * 70_000 + [-1] * 9}))

    assert message_of(frame) == (
        "column 'price': below 0 in 9 rows: row 70000 (-1), row 70001 (-1), row 70002 (-1), row 70003 (-1), "
        f"row 70004 (-1), …{REFUNDS}"
    )


@eager_engines
def test_an_error_lists_up_to_a_thousand_rows_of_each_issue(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": [7] * 3 + [-1] * 1200 + [10**14] * 2}))

    with pytest.raises(InvalidAmount) as refused:
        price_counts(frame, price="price")

    assert refused.value.rows == (*range(3, 1003), 1203, 1204)


@eager_engines
def test_a_rare_issue_is_found_among_many_others(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": ["-1"] * 7 + [None]}))

    assert message_of(frame, currency="CHF").endswith(
        f"; column 'price': null or NaN in 1 row: row 7{WITHOUT}"
    )


@eager_engines
def test_all_issues_are_reported_together(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": ["-1", None, "x", "2"]}))

    with pytest.raises(InvalidAmount) as refused:
        price_counts(frame, price="price", currency="CHF")

    assert refused.value.messages == (
        f"column 'price': below 0 in 1 row: row 0 (-1){REFUNDS}",
        f"column 'price': not an amount of CHF in 1 row: row 2 ('x' is not an amount){PLAIN}",
        f"column 'price': null or NaN in 1 row: row 1{WITHOUT}",
    )


@lazy_engines
def test_in_a_lazy_frame_the_groups_are_named(engine: Engine) -> None:
    frame = engine.take(pa.table({"season": SEASONS, "price": [5, -1, -1, 7]}))

    assert message_of(frame, by="season") == (
        f"column 'price': below 0 in 2 rows: season 'summer' (-1), …{REFUNDS}"
    )


@lazy_engines
def test_in_a_lazy_frame_without_groups_the_values_are_named(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": [5, -1, -1, 7]}))

    assert message_of(frame) == f"column 'price': below 0 in 2 rows: -1, …{REFUNDS}"


@lazy_engines
def test_nulls_in_a_lazy_frame_without_groups_are_counted(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": [5, None, None]}))

    assert message_of(frame) == f"column 'price': null or NaN in 2 rows{WITHOUT}"


def test_nan_is_not_a_price_in_any_engine() -> None:
    prices = pa.table({"price": pa.array([1.5, float("nan")])})

    assert message_of(prices, currency="CHF", rounding=RoundingMode.HALF_UP) == (
        f"column 'price': null or NaN in 1 row: row 1{WITHOUT}"
    )


# ---------------------------------------------------------------- currencies


@eager_engines
@pytest.mark.parametrize(
    ("codes", "options", "message"),
    [
        (["CHF", "EUR", "CHF", "USD"], {}, "not CHF in 2 rows: row 1 (EUR), row 3 (USD)"),
        (["EUR", "EUR", "EUR", "EUR"], CHF, "not CHF in 4 rows: row 0 (EUR), row 1 (EUR), "),
        (["CHF", None, "CHF", "CHF"], {}, "null or NaN in 1 row: row 1"),
        (["chf"] * 4, {}, "not a currency in 4 rows: row 0 (unknown currency 'chf': write 'CHF'), "),
    ],
)
def test_prices_of_several_currencies_are_refused(
    engine: Engine, codes: list[str | None], options: dict[str, Any], message: str
) -> None:
    frame = engine.take(pa.table({"price": [5, 5, 5, 5], "currency": codes}))

    found = message_of(frame, currency_column="currency", unit="minor", **options)
    assert found.startswith(f"column 'currency': {message}")


@every_engine
def test_groups_in_different_currencies_must_be_grouped_by_currency(engine: Engine) -> None:
    table = pa.table({"season": SEASONS, "price": [5, 6, 7, 8], "currency": ["CHF", "EUR", "EUR", "CHF"]})

    assert message_of(engine.take(table), by="season", currency_column="currency", unit="minor").startswith(
        "column 'currency': not CHF in 2 rows: "
    )


# ---------------------------------------------------------------- columns


@every_engine
@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        ({"price": [5]}, {"by": ["season"]}, "no column 'season' among 'price'"),
        ({"a": ["w"]}, {}, "no column 'price' among 'a': pass the name of the price column as price"),
        ({"price": [5]}, {"currency_column": "code"}, "no column 'code' among 'price'"),
        ({"price": [True]}, {}, f"{EXPECTED}, got Boolean"),
        ({"price": [1.5]}, CHF, "Float64 is not exact: read it as strings or decimals, or pass a rounding,"),
        ({"price": [1.5]}, HALF_UP, "is in major units of a currency: pass it"),
        ({"price": ["5"]}, {}, "column 'price': String is in major units of a currency: pass it"),
        ({"price": pa.array([1.5], pa.float32())}, CHF | HALF_UP, f"{EXPECTED}, got Float32"),
        ({"price": [5]}, {"by": ["price"]}, f"{OTHERS}'price'"),
        ({"price": [5], "a": [timedelta(1)]}, {"by": "a"}, "column 'a': cannot group by "),
        ({"price": [5], "a": [1]}, {"by": ["a", "a"]}, f"{OTHERS}'a', 'a'"),
        ({"price": [5], "a": [1]}, {"currency_column": "a"}, "'a': expected currency codes, got Int64"),
    ],
)
def test_unreadable_columns_are_refused(
    engine: Engine, columns: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    frame = engine.take(pa.table(columns))

    with pytest.raises(InvalidInput) as refused:
        price_counts(frame, price="price", **options)

    assert message in str(refused.value)


def test_pandas_users_get_a_hint_about_ints_with_nulls() -> None:
    frame = pd.DataFrame({"price": [6900, None], "times": [1, None]})

    with pytest.raises(InvalidInput) as refused:
        price_counts(frame, price="price", count="times", currency="CHF")

    hint = "(pandas stores ints with nulls like this: use Int64)"
    advice = "read it as strings or decimals, or pass a rounding, as in rounding=RoundingMode.HALF_UP"
    assert refused.value.messages == (
        f"column 'price': Float64 {hint} is not exact: {advice}",
        f"column 'times': expected counts as ints, got Float64 {hint}",
    )


@pytest.mark.parametrize("prices", [[79.5, None], [79.0, 80.0]], ids=["decimals beside null", "whole"])
def test_pandas_users_get_no_hint_about_ints_for_other_floats(prices: list[float | None]) -> None:
    with pytest.raises(InvalidInput) as refused:
        price_counts(pd.DataFrame({"price": prices}), price="price", currency="CHF")

    assert "column 'price': Float64 is not exact" in str(refused.value)


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame([[1, 2]], columns=["price", "price"]), pa.table([[1], [2]], names=["price", "price"])],
    ids=["pandas", "pyarrow"],
)
def test_columns_with_the_same_name_are_refused(frame: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^expected columns with different names: .*'price' 2 times$"):
        price_counts(frame, price="price")


@pytest.mark.parametrize(
    "frame", [[1], None, {"price": [1]}, pd.Series([1])], ids=lambda own: type(own).__name__
)
def test_values_other_than_frames_are_refused(frame: object) -> None:
    with pytest.raises(InvalidInput, match=r"^expected a frame of pandas, .*, PySpark, got "):
        price_counts(frame, price="price")


def test_a_frame_of_another_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(engines._ENGINES, nw.Implementation.PYARROW)

    with pytest.raises(InvalidInput, match=r"^expected a frame of .*, got pyarrow$"):
        price_counts(pa.table({"price": [1]}), price="price")


# ---------------------------------------------------------------- objects of pandas


def test_pandas_objects_may_be_decimals_and_texts() -> None:
    frame = pd.DataFrame({"price": pd.Series([Decimal("1.50"), "1.5", Decimal(2)], dtype=object)})

    found = price_counts(frame, price="price", currency="CHF")

    assert found.to_dict("list") == {"price": [150, 200], "count": [2, 1]}


@pytest.mark.parametrize(
    ("values", "types"),
    [([1, None], "int"), ([Decimal(1), 1], "Decimal, int"), ([True, 1.5, b"1"], "bool, bytes, float")],
)
def test_other_pandas_objects_are_refused(values: list[object], types: str) -> None:
    frame = pd.DataFrame({"price": pd.Series(values, dtype=object)})

    with pytest.raises(
        InvalidInput, match=f"^column 'price': objects of {types}: use Decimals or strings as prices,"
    ):
        price_counts(frame, price="price", currency="CHF")


def test_null_pandas_objects_are_named_with_their_rows() -> None:
    frame = pd.DataFrame({"price": pd.Series([Decimal(1), None, pd.NA, Decimal("NaN")], dtype=object)})

    assert message_of(frame, currency="CHF") == (
        f"column 'price': null or NaN in 3 rows: row 1, row 2, row 3{WITHOUT}"
    )


def test_objects_of_several_types_cannot_be_groups() -> None:
    frame = pd.DataFrame({"group": pd.Series([b"1", "x", 3], dtype=object), "price": [1, 2, 3]})

    with pytest.raises(InvalidInput, match=r"^column 'group': objects of bytes, int, str: "):
        price_counts(frame, price="price", by="group")


def test_objects_of_a_lazy_frame_are_refused() -> None:
    polars = pytest.importorskip("polars")
    lazy = polars.LazyFrame({"price": [Decimal(1)]}, schema={"price": polars.Object})

    with pytest.raises(InvalidInput, match=r"^column 'price': objects in a lazy frame: "):
        price_counts(lazy, price="price", currency="CHF")
