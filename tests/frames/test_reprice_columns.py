"""Unreadable columns of orders are refused before any value is read."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from faregate.discounts.kinds import (
    EVERYTHING,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    DiscountKind,
    Scope,
)
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput
from faregate.frames import Lines, reprice
from faregate.frames.columns.encoded import encoded
from support.frames.engines import Engine, every_engine
from support.frames.refused_orders import CHF, LINES, TEN, TIMES, limited

AT_TIMES = {"rules": TIMES}
CODES = {"rules": PricingRules(promo_codes=(TEN,))}
CHANNELS = {"rules": limited(channels=frozenset({"WEB"}))}
PRICE = "column 'unit_price': expected ints"
NAMED_TIMES = {name: ["x", "y", "z"] for name in ("ordered_on", "ordered_at")}


def of_kind(kind: DiscountKind) -> PricingRules:
    return PricingRules(automatic=(AutomaticDiscount(id=1, kind=kind),))


@pytest.mark.parametrize(
    ("rules", "zone", "column"),
    [
        (limited(Scope(products=frozenset({1}))), None, "product"),
        (limited(Scope(lines=frozenset({1}))), None, "key"),
        (limited(accounts=frozenset({1})), None, "account"),
        (limited(Scope(max_lead_days=1)), None, "ordered_on"),
        (limited(Scope(max_lead_days=1)), "UTC", "ordered_at"),
        (of_kind(Bundle(parts=(BundlePart(EVERYTHING, 2),), price=0)), None, "first_day"),
        (of_kind(BuyXGetY(1, 1, rewards=Scope(variants=frozenset({5})))), None, "variant"),
    ],
)
def test_columns_that_the_rules_need_are_required(rules: PricingRules, zone: str | None, column: str) -> None:
    with pytest.raises(InvalidInput, match=f"no column '{column}', which the rules need, among 'checkout'"):
        reprice(pa.table(LINES), rules, zone=zone)


@every_engine
@pytest.mark.parametrize(
    ("columns", "given", "message"),
    [
        ({}, {"by": "order"}, "no column 'order' among 'checkout', 'unit_price', 'quantity', 'rate'"),
        ({}, {"columns": {"key": "line"}}, "no column 'line' among "),
        ({}, {"columns": {"rate": None}}, "no column 'rate' among "),
        ({}, {"columns": {"price": "x"}}, "columns: unknown field 'price', expected unit_price, "),
        ({}, {"columns": {"checkout": "no"}}, "columns: name the column of checkouts with by=, as in by="),
        ({}, {"zone": "Mars"}, "zone: unknown time zone 'Mars', expected an IANA name such as Europe/Zurich"),
        ({"total_net": [1, 2, 3]}, {}, "column 'total_net': a result has the same name; rename it, or "),
        ({"checkout": [0.5, 1, 2]}, {}, "column 'checkout': expected ids, got double"),
        ({"unit_price": ["1", "2", "3"]}, {}, f"{PRICE} of minor units (or pass a currency), got "),
        ({"unit_price": [0.5, 1, 2]}, CHF, f"{PRICE}, decimals or strings (or pass a rounding), got double"),
        ({"unit_price": [True] * 3}, CHF, f"{PRICE} of minor units, or decimals or strings of a currency, "),
        ({"quantity": ["1", "2", "3"]}, {}, "column 'quantity': expected ints, got "),
        ({"rate": [8.1, 2.6, 0]}, {}, "column 'rate': expected decimals or strings in percent, or ints in "),
        ({"discountable": [1, 0, 1]}, {}, "column 'discountable': expected booleans, got int64"),
        ({"codes": [1, 2, 3]}, CODES, "column 'codes': expected strings, or lists of them, got int64"),
        ({"channel": [1, 2, 3]}, CHANNELS, "column 'channel': expected strings, got int64"),
        (NAMED_TIMES, AT_TIMES, "column 'ordered_at': expected instants, with"),
    ],
)
def test_unreadable_columns_are_refused_before_any_value_is_read(
    engine: Engine, columns: dict[str, Any], given: dict[str, Any], message: str
) -> None:
    frame = engine.take(pa.table(LINES | columns))
    options: dict[str, Any] = {"rules": PricingRules(), "lines": Lines.TOGETHER, **given}

    with pytest.raises(InvalidInput) as refused:
        reprice(frame, **options)

    assert message in str(refused.value)


def test_issues_of_columns_are_reported_together() -> None:
    table = pa.table({"checkout": [1], "unit_price": [0.5]})

    with pytest.raises(InvalidInput) as refused:
        reprice(table, limited(Scope(products=frozenset({1}))))

    assert [fault.partition(",")[0].partition(" among")[0] for fault in refused.value.messages] == [
        "no column 'quantity'",
        "no column 'rate'",
        "no column 'product'",
    ]


@pytest.mark.parametrize(
    ("columns", "advice"),
    [
        ({"cents": "unit_price"}, "{'unit_price': 'cents'}"),
        ({"cents": "unit_price", "no": "checkout", "x": "y"}, "{'unit_price': 'cents'}, and by='no'"),
    ],
)
def test_a_reversed_mapping_is_reported_once(columns: dict[str, str], advice: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        reprice(pa.table({"no": [1], "cents": [1], "x": [1]}), PricingRules(), columns=columns)

    assert refused.value.messages == (
        f"columns: is the mapping reversed? It goes from fields to columns, as in {advice}",
    )


def test_unknown_fields_are_reported_once() -> None:
    with pytest.raises(InvalidInput) as refused:
        reprice(pa.table(LINES), PricingRules(), columns={"price": "x", "amount": None})

    (fault,) = refused.value.messages
    assert fault.startswith("columns: unknown field 'price', 'amount', expected unit_price, ")


def test_pandas_users_get_a_hint_about_ints_with_nulls() -> None:
    frame = pd.DataFrame(LINES | {"quantity": [1, None, 1]})

    with pytest.raises(InvalidInput, match=r"double \(pandas stores ints with nulls as floats: use Int64"):
        reprice(frame, PricingRules())


@pytest.mark.slow
def test_scattered_lines_without_keys_are_refused() -> None:
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(pd.DataFrame(LINES), npartitions=2)

    with pytest.raises(InvalidInput, match=r"^no column 'key': ties are broken by the order of the lines"):
        reprice(frame, PricingRules())


@pytest.mark.parametrize("categories", [["x", None, "x"], ["x", "y", "x"]])
def test_categories_may_be_null_or_repeated(categories: list[str | None]) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 2, None, 1]), categories)

    found = encoded(pa.chunked_array([column]))

    assert [found.values[code] for code in found.codes] == ["x", "x", None, categories[1]]
    assert found.codes[0] == found.codes[1]
    assert found.values.count(None) == 1
