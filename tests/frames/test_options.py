"""Refused options, required units, and all forms of group columns."""

from __future__ import annotations

from dataclasses import fields
from inspect import Parameter, signature
from typing import Any

import pyarrow as pa
import pytest

from faregate.errors import InvalidInput, InvalidOption, UnitRequired
from faregate.frames import (
    Negatives,
    OnError,
    PriceColumn,
    compare,
    distributions,
    insights,
    price_counts,
    quantiles,
    ranks,
)
from faregate.money.rounding import RoundingMode
from frames.test_refusals import SEASONS, message_of
from support.frames.engines import Engine, every_engine, rows

# ---------------------------------------------------------------- options


@every_engine
def test_ints_with_a_currency_need_their_unit(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": [6000, 7000], "code": ["INR", "INR"]}))

    with pytest.raises(UnitRequired) as refused:
        insights(frame, currency="INR")
    assert str(refused.value) == (
        "column 'price': 6000 is INR 60.00 in minor units, INR 6000.00 in major units: "
        "pass unit='minor' or unit='major'"
    )
    with pytest.raises(UnitRequired, match="pass unit='minor' or unit='major'"):
        insights(frame, currency_column="code")
    with pytest.raises(UnitRequired, match="pass unit='minor' or unit='major'"):
        insights(engine.take(pa.table({"price": pa.array([], pa.int64())})), currency="INR")


@pytest.mark.parametrize(
    ("prices", "options", "message"),
    [
        (["60"], {"currency": "INR", "unit": "minor"}, "is in major units: unit='minor' is for ints"),
        ([6000], {"unit": "major"}, "is in major units of a currency: pass it, as in currency='CHF'"),
    ],
)
def test_a_unit_that_contradicts_the_column_is_refused(
    prices: list[Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        insights(pa.table({"price": prices}), **options)


@pytest.mark.parametrize("name", ["negatives", "rounding", "unit"])
@pytest.mark.parametrize("value", [False, "rubbish", "HALF_UP", "refuse"])
def test_invalid_options_are_refused_before_values_are_read(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption, match=f"^{name} is {value!r}, expected "):
        insights(pa.table({"price": [5]}), **{name: value})


def test_an_option_may_be_its_value_as_text() -> None:
    frame = pa.table({"price": ["-0.005", "2"]})

    found = distributions(frame, currency="CHF", rounding="half_up", negatives="allowed")  # type: ignore[arg-type]

    assert found[()].prices == (-1, 200)


@pytest.mark.parametrize("function", [price_counts, distributions, insights, quantiles, ranks])
def test_an_unknown_option_is_refused_by_its_name(function: Any) -> None:
    with pytest.raises(TypeError, match=r"^unexpected keyword argument 'curency': did you mean 'currency'"):
        function(pa.table({"price": [5]}), curency="EUR")


@pytest.mark.parametrize("function", [compare, price_counts, insights, quantiles, ranks])
def test_tables_have_one_signature(function: Any) -> None:
    parameters = signature(function).parameters
    reading = {field.name: field.default for field in fields(PriceColumn)} | {
        "by": (),
        "on_error": OnError.RAISE,
    }
    del reading["name"]

    assert [*parameters][:2] == ["frame", "price"]
    assert reading == {name: own.default for name, own in parameters.items() if name in reading}
    assert {own.kind for name, own in parameters.items() if name in reading} == {Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("by", [None, 3])
def test_groups_other_than_names_are_refused(by: Any) -> None:
    with pytest.raises(InvalidInput, match=f"^by: expected the names of columns, got {by}$"):
        insights(pa.table({"price": [5]}), by=by)


@every_engine
def test_extra_decimals_are_rounded_only_on_request(engine: Engine) -> None:
    frame = engine.take(pa.table({"price": ["1.005", "-1.005"]}))
    refunds: dict[str, Any] = {"currency": "CHF", "negatives": Negatives.ALLOWED}

    assert distributions(frame, **refunds, rounding=RoundingMode.HALF_UP)[()].prices == (-101, 101)
    assert distributions(frame, **refunds, rounding=RoundingMode.DOWN)[()].prices == (-100, 100)
    assert "has more decimals" in message_of(frame, **refunds)
    assert "is not an amount" in message_of(
        engine.take(pa.table({"price": ["x"]})), rounding="down", **refunds
    )


@every_engine
def test_counts_are_not_mistaken_for_prices(engine: Engine) -> None:
    counts = price_counts(engine.take(pa.table({"price": [5, 5, 7]})))

    for function in (insights, distributions):
        with pytest.raises(InvalidInput, match=r"^column 'count': each row counts once"):
            function(counts)
    assert [row["n"] for row in rows(insights(counts, by="count"))] == [1, 1]


# ---------------------------------------------------------------- groups


def test_every_lookup_finds_a_group_of_one_column_by_its_value() -> None:
    found = distributions(pa.table({"season": SEASONS, "price": [5, 6, 7, 8]}), by="season")

    assert "winter" in found
    assert ("winter",) in found
    assert found.get("winter") == found["winter"] == found[("winter",)]
    assert "autumn" not in found
    assert found.get("autumn") is None
    assert found.get("autumn", 0) == 0
