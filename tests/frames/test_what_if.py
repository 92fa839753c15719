"""The report of a change of rules, and the explanation of one order, on frames."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.discounts.kinds import AutomaticDiscount, BuyXGetY, Percentage, PromoCode, Scope
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput, InvalidLines
from faregate.frames import Lines, explain_order, reprice, totals, what_if
from faregate.insights.what_if import BridgeStep, UnmatchedCode
from support.frames.engines import Engine, every_engine
from support.frames.past_orders import FIGURES, Orders, past_orders
from support.frames.refused_orders import TEN, limited
from support.oracles import what_ifs as oracle

NOTHING = PricingRules()
THIRD = AutomaticDiscount(id=1, kind=BuyXGetY(2, 1, parts_per_million=500_000))
AFTER = PricingRules(automatic=(THIRD,), promo_codes=(TEN,))
ORDERS = pa.table(
    {
        "checkout": ["a", "b", "a", "c"],
        "product": ["DAY", "DAY", "LUNCH", "DAY"],
        "unit_price": [7900, 7900, 2250, 5500],
        "quantity": [2, 1, 2, 3],
        "rate": ["8.1", "8.1", "2.6", "8.1"],
        "codes": ["TEN", "", "TEN", "OLD"],
        "day": [date(2027, 1, 3), date(2027, 1, 3), None, date(2027, 1, 4)],
    }
)

# ---------------------------------------------------------------- laws


@given(drawn=past_orders())
def test_each_bridge_is_the_sum_of_orders_priced_one_by_one(drawn: Orders) -> None:
    before = PricingRules(promo_codes=drawn.rules.promo_codes)
    found = what_if(drawn.scattered(), before, drawn.rules, groups=["product", "first_day"])

    lines = oracle.changes(drawn.requests, before, drawn.rules)
    for bridge, key in zip(found.bridges, ("product", "week"), strict=True):
        expected: dict[Any, list[int]] = {}
        for line in lines:
            sums = expected.setdefault(getattr(line, key), [0, 0])
            sums[0] += line.before
            sums[1] += line.after
        assert {step.key: [step.before, step.after] for step in bridge.steps} == expected
        assert bridge.before + sum(step.change for step in bridge.steps) == bridge.after == found.after
    assert (found.lines, found.returns) == (len(lines), 0)
    assert found.checkouts == len(drawn.totals())


@given(drawn=past_orders())
def test_unmatched_codes_are_those_that_take_nothing_off_in_any_order(drawn: Orders) -> None:
    found = what_if(drawn.scattered(), NOTHING, drawn.rules, groups=["product"])

    for rules, codes in ((NOTHING, found.unmatched_before), (drawn.rules, found.unmatched_after)):
        known = {promo_code.code for promo_code in rules.promo_codes}
        assert {own.code: own.checkouts for own in codes} == oracle.unmatched(drawn.requests, rules)
        assert all(own.is_known == (own.code in known) for own in codes)


@given(drawn=past_orders())
def test_an_explained_order_equals_its_rows(drawn: Orders) -> None:
    table = drawn.scattered()
    rows = reprice(table, drawn.rules).to_pylist()

    for checkout in dict.fromkeys(table["checkout"].to_pylist()):
        found = explain_order(table, checkout, drawn.rules)
        own = {row["key"]: row for row in rows if row["checkout"] == checkout}
        assert {line.key for line in found.totals.lines} == own.keys()
        for line in found.totals.lines:
            row = own[line.key]
            for name in FIGURES[:2] + FIGURES[3:]:
                assert getattr(line, name) == row[name]
            assert found.trace.amount("total_gross", line=line.key) == row["total_gross"]


@given(drawn=past_orders(), returned=st.data())
def test_returned_units_are_the_opposite_of_sold_ones(drawn: Orders, returned: Any) -> None:
    """Some rows come back with negative units: they are priced as a checkout of their own."""
    table = drawn.scattered()
    back = returned.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    ids = table["checkout"].to_pylist()
    apart = [f"{own} {is_back}" for own, is_back in zip(ids, back, strict=True)]
    signs = [-1 if is_back else 1 for is_back in back]
    quantities = [sign * own for sign, own in zip(signs, table["quantity"].to_pylist(), strict=True)]

    found = reprice(set_column(table, "quantity", quantities), drawn.rules).to_pylist()

    sold = reprice(set_column(table, "checkout", apart), drawn.rules).to_pylist()
    for row, own, sign in zip(found, sold, signs, strict=True):
        assert row["auto_discount"] == own["auto_discount"]
        for name in FIGURES[:2] + FIGURES[3:]:
            assert row[name] == sign * own[name]


def set_column(table: pa.Table, name: str, values: Sequence[Any]) -> pa.Table:
    index = table.column_names.index(name)
    return table.set_column(index, name, pa.array(values, table.schema.field(name).type))


@given(drawn=past_orders())
def test_ids_may_be_strings(drawn: Orders) -> None:
    names = ("product", "variant", "category", "discount_card", "account")
    table = drawn.scattered()
    own_ids = {name: table[name].drop_null().unique().to_pylist() for name in names}
    numbers = {name: {f"#{own}": own for own in ids} for name, ids in own_ids.items()}
    plain, coded = table, table
    for name in names:
        own = table[name].to_pylist()
        texts = pa.array([None if value is None else str(value) for value in own], pa.string())
        skus = pa.array([None if value is None else f"#{value}" for value in own], pa.string())
        index = table.column_names.index(name)
        plain, coded = plain.set_column(index, name, texts), coded.set_column(index, name, skus)

    expected = figures(reprice(table, drawn.rules))
    assert figures(reprice(plain, drawn.rules)) == expected
    assert figures(reprice(coded, drawn.rules, ids=numbers)) == expected


def figures(table: pa.Table) -> dict[str, Any]:
    found: dict[str, Any] = table.select(FIGURES).to_pydict()
    return found


# ---------------------------------------------------------------- reports


@every_engine
def test_every_engine_gives_the_same_report(engine: Engine) -> None:
    """Worked by hand. A third unit is at half price: in order a, a lunch (1125), in order c, a day (2750).

    TEN takes 1917.5 off order a, rounded to 1918: 1580 off the days, 338 off the lunches.
    """
    frame = engine.take(ORDERS.append_column("key", pa.array([1, 1, 2, 1])))

    found = what_if(frame, NOTHING, AFTER, groups=["product", "day"], currency="CHF")

    product, week = found.bridges
    assert product.steps == (BridgeStep("DAY", 40200, 35870), BridgeStep("LUNCH", 4500, 3037))
    assert week.steps == (
        BridgeStep("2026-W53", 23700, 22120),
        BridgeStep("2027-W01", 16500, 13750),
        BridgeStep(None, 4500, 3037),
    )
    assert (found.checkouts, found.lines, found.returns, found.change) == (3, 4, 0, -5793)


def test_categories_are_groups_like_strings() -> None:
    orders = ORDERS.set_column(1, "product", ORDERS["product"].dictionary_encode())

    assert what_if(orders, NOTHING, AFTER, groups=["product"]) == what_if(
        ORDERS, NOTHING, AFTER, groups=["product"]
    )


def test_an_elasticity_applies_to_the_first_column() -> None:
    found = what_if(ORDERS, NOTHING, AFTER, groups=["product", "day"], elasticity="-1")

    day, lunch = Fraction(35870 * 4330, 40200), Fraction(3037 * 1463, 4500)
    assert found.response == round(day + lunch)
    assert found.elasticity == -1


def test_codes_without_effect_are_named_with_the_reason() -> None:
    never = PromoCode(code="TEN", kind=Percentage.percent(10), scope=Scope(categories=frozenset({7})))
    table = ORDERS.append_column("category", pa.nulls(4))

    found = what_if(table, AFTER, PricingRules(promo_codes=(never,)))

    assert found.unmatched_before == (UnmatchedCode("OLD", 1, is_known=False),)
    assert found.unmatched_after == (
        UnmatchedCode("OLD", 1, is_known=False),
        UnmatchedCode("TEN", 1, is_known=True),
    )


def test_returns_are_counted_and_reduce_the_totals() -> None:
    table = set_column(ORDERS, "quantity", [2, 1, -2, 3])

    found = what_if(table, NOTHING, PricingRules(promo_codes=(TEN,)))

    assert found.returns == 1
    assert found.bridges[0].steps[1] == BridgeStep("LUNCH", -4500, -4050)


@pytest.mark.parametrize("lines", Lines)
def test_sales_and_returns_of_an_order_are_priced_apart(lines: Lines) -> None:
    """Three are sold, the third at half price; one of them comes back at its full price."""
    columns = {"checkout": [1, 1], "unit_price": [1000, 1000], "quantity": [3, -1], "rate": [0, 0]}

    found = reprice(pa.table(columns), AFTER, lines=lines)

    assert found["total_gross"].to_pylist() == [2500, -1000]


def test_amounts_beyond_64_bits_are_added_exactly() -> None:
    count = 10**4
    columns = {"checkout": range(count), "unit_price": [10**12] * count, "quantity": [1] * count}
    table = pa.table({**columns, "rate": [0] * count, "product": [1] * count})

    assert what_if(table, NOTHING, NOTHING).before == 10**16


def test_an_empty_frame_has_an_empty_report() -> None:
    found = what_if(ORDERS.slice(0, 0), NOTHING, AFTER)

    assert (found.checkouts, found.before, found.after) == (0, 0, 0)
    assert found.break_even == 0


def test_other_columns_and_amounts_of_a_currency_are_read() -> None:
    frame = pd.DataFrame(
        {"order": ["x"], "price": ["79.00"], "n": [2], "vat": ["8.1"], "sku": ["DAY"], "entered": ["TEN"]}
    )
    names = {"unit_price": "price", "quantity": "n", "rate": "vat", "codes": "entered", "product": "sku"}
    day = Scope(products=frozenset({11}))
    scoped = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10), scope=day),))
    reading: dict[str, Any] = {"by": "order", "columns": names, "currency": "CHF"}
    reading["ids"] = {"product": {"DAY": 11}}

    assert what_if(frame, NOTHING, scoped, groups=["sku"], **reading).after == 14220
    assert explain_order(frame, "x", scoped, **reading).totals.total_gross == 14220


# ---------------------------------------------------------------- one order


def test_an_explanation_has_the_unknown_codes_of_the_order() -> None:
    found = explain_order(ORDERS, "c", AFTER, currency="CHF")

    assert found.totals.total_gross == 13750
    assert [own.promo_code.code for own in found.refused] == ["OLD"]


def test_returned_units_are_explained_as_if_they_were_sold() -> None:
    table = set_column(ORDERS, "quantity", [2, 1, -2, 3])

    assert explain_order(table, "a", AFTER).totals.total_gross == 14220
    assert explain_order(table, "a", AFTER, returned=True).totals.total_gross == 4050
    assert explain_order(table.drop_columns("codes"), "a", AFTER).totals.total_gross == 15800
    assert explain_order(table, "a", AFTER, columns={"codes": None}).totals.total_gross == 15800


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": []}, r"groups: expected at least one column, as in \['product'\], got \[\]"),
        ({"groups": "product"}, "groups: expected at least one column, as in .*, got 'product'"),
        ({"groups": ["sku"]}, "groups: no column 'sku' among 'checkout', "),
        ({"groups": ["x"]}, "groups: column 'x' is of type double, which cannot be grouped"),
        ({"elasticity": 0.5}, "elasticity: 0.5 is not a decimal"),
        ({"elasticity": "1"}, "elasticity: expected at most 0, got 1"),
        ({"by": "order"}, "no column 'order' among "),
        ({"ids": {"sku": {}}}, "ids: unknown field 'sku', expected product, variant, "),
        ({"ids": {"product": {"DAY": "11"}}}, "ids: product 'DAY' is '11', expected an int"),
        ({"currency": "XYZ"}, "XYZ"),
    ],
)
def test_reports_that_cannot_be_made_are_refused(given: dict[str, Any], message: str) -> None:
    table = ORDERS.append_column("x", pa.array([1.5] * 4))

    with pytest.raises((InvalidInput, LookupError), match=message):
        what_if(table, NOTHING, AFTER, **given)


def test_faulty_rows_are_named() -> None:
    with pytest.raises(InvalidLines, match=r"column 'quantity': zero in 1 row: row 1"):
        what_if(set_column(ORDERS, "quantity", [2, 0, 2, 3]), NOTHING, AFTER)


def test_strings_that_stand_for_no_id_are_named() -> None:
    scoped = limited(Scope(products=frozenset({11})))
    doubles = ORDERS.drop_columns("product").append_column("product", pa.array([1.5] * 4))

    with pytest.raises(
        InvalidLines,
        match=r"'product': not a whole number \(pass ids=\{'product': …\}\) in 4 rows: row 0 \('DAY'\)",
    ):
        reprice(ORDERS, scoped)
    with pytest.raises(InvalidInput, match="column 'product': expected ints or strings, got double"):
        reprice(doubles, scoped)


def test_checkouts_have_no_returns() -> None:
    with pytest.raises(InvalidLines, match=r"column 'quantity': below 1 in 1 row: row 2 \(-2\)"):
        totals(set_column(ORDERS, "quantity", [2, 1, -2, 3]))


@pytest.mark.parametrize(
    ("checkout", "given", "message"),
    [
        ("z", {}, "column 'checkout': no checkout 'z'"),
        (1, {}, "column 'checkout': expected an id of type string, got 1"),
        ("a", {"by": "order"}, "no column 'order' among 'checkout', "),
        ("a", {"returned": True}, "checkout 'a': no returned units; pass returned=False"),
    ],
)
def test_orders_that_are_not_there_are_refused(checkout: Any, given: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        explain_order(ORDERS, checkout, AFTER, **given)
