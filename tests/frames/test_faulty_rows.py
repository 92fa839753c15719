"""``on_error="return"``: faulty rows as a frame in place of an error."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from faregate.errors import InvalidInput, InvalidOption
from faregate.frames import OnError, distributions, insights, price_counts, quantiles, ranks
from support.frames.engines import Engine, arrow, eager_engines, lazy_engines, rows

TABLES = [price_counts, insights, quantiles, ranks]
OFFERS = pa.table({"chf": ["-1", "x", "2", None], "times": [1, 2, -3, 4]})
CHF: dict[str, Any] = {"currency": "CHF", "count": "times", "on_error": "return"}


@eager_engines
@pytest.mark.parametrize("function", TABLES)
def test_faulty_rows_are_returned(engine: Engine, function: Any) -> None:
    found = function(engine.take(OFFERS), "chf", **CHF)

    assert engine.owns(found)
    assert arrow(found).schema.types == [pa.int64(), pa.string(), pa.string()]
    assert rows(found) == [
        {"row": 0, "column": "chf", "fault": "below 0 (-1)"},
        {"row": 1, "column": "chf", "fault": "not an amount of CHF ('x' is not an amount)"},
        {"row": 2, "column": "times", "fault": "a negative count (-3)"},
        {"row": 3, "column": "chf", "fault": "null or NaN"},
    ]


@eager_engines
@pytest.mark.parametrize("function", TABLES)
def test_without_faults_the_table_is_returned(engine: Engine, function: Any) -> None:
    frame = engine.take(OFFERS.slice(2, 1).drop(["times"]))

    found = function(frame, "chf", currency="CHF", on_error=OnError.RETURN)

    assert rows(found) == rows(function(frame, "chf", currency="CHF"))


def test_all_faulty_rows_are_returned() -> None:
    assert len(price_counts(pa.table({"price": [-1] * 1500}), on_error=OnError.RETURN)) == 1500


@lazy_engines
def test_rows_of_a_lazy_frame_have_no_numbers(engine: Engine) -> None:
    with pytest.raises(
        InvalidInput, match=r"^on_error='return' needs rows in order, and a lazy frame has none"
    ):
        price_counts(engine.take(pa.table({"price": [5]})), on_error=OnError.RETURN)


def test_wrong_columns_are_always_an_error() -> None:
    with pytest.raises(InvalidInput, match="no column 'season'"):
        quantiles(pa.table({"price": [5]}), by="season", on_error=OnError.RETURN)


def test_other_ways_are_refused() -> None:
    with pytest.raises(InvalidOption, match=r"^on_error is 'skip', expected 'raise' or 'return'$"):
        quantiles(pa.table({"price": [5]}), on_error="skip")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'on_error'"):
        distributions(pa.table({"price": [5]}), on_error="return")  # type: ignore[call-arg]
