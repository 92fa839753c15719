"""Unknown codes of past orders are counted once per checkout."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from faregate.discounts.kinds import Percentage, PromoCode
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput
from faregate.frames import unknown_codes
from support.frames.engines import Engine, every_engine

TEN = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))
ORDERS = {
    "order.no": [3, 1, 3, 2, 4],
    "codes": ["old, ten", "TEN new", "old, ten", " Old  old,", None],
}


@every_engine
def test_a_code_counts_once_for_each_checkout_on_any_engine(engine: Engine) -> None:
    orders = engine.take(pa.table(ORDERS))

    assert unknown_codes(orders, TEN, by="order.no") == {"OLD": 2, "NEW": 1}


def test_without_defined_codes_all_are_unknown_most_frequent_first() -> None:
    found = unknown_codes(pa.table(ORDERS), PricingRules(), by="order.no")

    assert list(found.items()) == [("OLD", 2), ("TEN", 2), ("NEW", 1)]


@pytest.mark.parametrize("dtype", [pa.list_(pa.string()), pa.large_list(pa.string())])
def test_a_code_in_a_list_is_not_split(dtype: pa.DataType) -> None:
    orders = pa.table({"checkout": [1, 2], "entered": pa.array([["no ten", "ten", ""], None], dtype)})

    assert unknown_codes(orders, TEN, columns={"codes": "entered"}) == {"NO TEN": 1}


@pytest.mark.parametrize("columns", [{}, {"codes": None}])
def test_without_a_column_of_codes_nothing_is_unknown(columns: dict[str, Any]) -> None:
    orders = pd.DataFrame({"checkout": [1]} | ({"codes": ["OLD"]} if columns else {}))

    assert unknown_codes(orders, TEN, columns=columns) == {}


@pytest.mark.parametrize(
    ("orders", "reading", "message"),
    [
        ({"codes": ["A"]}, {}, "no column 'checkout' among 'codes'"),
        ({"checkout": [1]}, {"columns": {"codes": "entered"}}, "no column 'entered' among 'checkout'"),
        ({"checkout": [1], "codes": [7]}, {}, "column 'codes': expected strings, or lists of them, got "),
        ({"id": [0.5], "codes": ["A"]}, {"by": "id"}, "column 'id': expected ids, got double"),
        ({"checkout": [2, None], "codes": ["A"] * 2}, {}, "column 'checkout': expected the id of a checkout"),
    ],
)
def test_columns_that_cannot_be_read_are_refused(
    orders: dict[str, Any], reading: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        unknown_codes(pa.table(orders), TEN, **reading)

    assert str(refused.value).startswith(message)
