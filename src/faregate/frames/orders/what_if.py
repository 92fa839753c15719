"""Past orders before and after a change of rules, as a report, and the explanation of one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from faregate.batch.discounts.eligibility import VALID
from faregate.discounts.kinds import PromoCode, UnknownCode
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput
from faregate.explanations.explanation import Explanation, explain
from faregate.frames.columns.encoded import one_array
from faregate.frames.engines import frame_of
from faregate.frames.orders.codes import entered_codes, ranked
from faregate.frames.orders.engines import chosen_columns, unknown_in_frame
from faregate.frames.orders.faults import FaultyOrders
from faregate.frames.orders.fields import Figures, Lines, OrderReading, plan_of
from faregate.frames.orders.keys import cannot_be_keys, week_or_text
from faregate.frames.orders.pricing import PricedOrders, line_columns, priced
from faregate.frames.orders.schema import check_types
from faregate.insights.what_if import Bridge, BridgeStep, UnmatchedCode, WhatIf, elasticity_of
from faregate.money.currency import Currency, as_currency
from faregate.money.rounding import RoundingMode
from faregate.totals.pipeline import checkout_totals


def what_if(  # noqa: PLR0913 - every option is listed, so that Python refuses all others
    orders: object,
    before: PricingRules,
    after: PricingRules,
    *,
    by: str = "checkout",
    groups: Sequence[str] = ("product",),
    elasticity: str | int | Decimal | Fraction | None = None,
    columns: Mapping[str, str | None] | None = None,
    currency: Currency | str | None = None,
    rounding: RoundingMode | None = None,
    zone: str | None = None,
    ids: Mapping[str, Mapping[str, int]] | None = None,
) -> WhatIf:
    """Report how the revenue of past orders changes if the rules *before* become the rules *after*.

    The frame is read into memory, as in ``reprice``. The report has a bridge for each column in *groups*:
    any columns of strings, ints or dates; dates and instants are grouped by ISO week. The contributions in
    each bridge add up to the change of the total. With an *elasticity*, a decimal string, an int or a
    fraction of at most 0, the units of each value of the first column respond linearly to its price.

    >>> import pandas as pd
    >>> from faregate import Percentage, PromoCode
    >>> from faregate.render import text
    >>> orders = pd.DataFrame({
    ...     "checkout": ["a", "b", "a"], "product": ["DAY", "DAY", "LUNCH"], "unit_price": [7900, 4900, 1250],
    ...     "quantity": [2, 1, 1], "rate": ["8.1", "8.1", "2.6"], "codes": ["TEN", "OLD", "TEN"],
    ... })
    >>> ten = PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))
    >>> print(text(what_if(orders, PricingRules(), ten, currency="CHF"), width=60))
    2 orders, 3 lines, 0 returns, amounts in CHF with VAT
    <BLANKLINE>
    product                       Before   After  Change       %
    DAY                           207.00  191.20  -15.80   -7.63
    LUNCH                          12.50   11.25   -1.25  -10.00
    Total                         219.50  202.45  -17.05   -7.77
    <BLANKLINE>
    These figures assume that nobody changed what they bought.
    Break-even elasticity: -1.08.
    Codes without effect under the old rules: OLD (1 order,
    unknown), TEN (1 order, unknown).
    Codes without effect under the new rules: OLD (1 order,
    unknown).

    Raises:
        InvalidInput: no column is named in *groups*, its values cannot be grouped, *elasticity* is not a
            number of at most 0, or as for ``reprice``.
        InvalidLines, InvalidAmount, InvalidDiscount, UnknownCurrency, InvalidOption: as for ``reprice``.
    """
    reading = OrderReading(columns or {}, Lines.SCATTERED, currency, rounding, zone, ids or {})
    own = None if elasticity is None else elasticity_of(elasticity)
    eager = _eager(orders)
    keys = _keys(eager, groups)
    old, new = (_priced(eager, rules, by, reading) for rules in (before, after))
    amounts = [line_columns(each)["total_gross"] for each in (old, new)]
    return WhatIf(
        checkouts=len(old.ids.unique()),
        lines=len(old.ids),
        returns=int(np.count_nonzero(old.returned)),
        bridges=tuple(_bridge(name, column, *amounts) for name, column in keys.items()),
        unmatched_before=_unmatched(eager, old, by=by, columns=reading.columns),
        unmatched_after=_unmatched(eager, new, by=by, columns=reading.columns),
        elasticity=own,
        currency=None if currency is None else as_currency(currency),
    )


def explain_order(  # noqa: PLR0913 - every option is listed, so that Python refuses all others
    orders: object,
    checkout: object,
    rules: PricingRules,
    *,
    returned: bool = False,
    by: str = "checkout",
    columns: Mapping[str, str | None] | None = None,
    currency: Currency | str | None = None,
    rounding: RoundingMode | None = None,
    zone: str | None = None,
    ids: Mapping[str, Mapping[str, int]] | None = None,
) -> Explanation:
    """Return the explanation of one order in a frame, priced under *rules* by the scalar function.

    The figures are those of ``reprice`` for the rows with the id *checkout* in the column *by*. With
    *returned*, the lines with negative units are explained instead of the others, as if they were sold:
    ``reprice`` negates their figures. Lines without a ``key`` are numbered from 0.

    >>> import pyarrow as pa
    >>> orders = pa.table({
    ...     "checkout": [7, 8, 7], "unit_price": [7900, 4900, 1250], "quantity": [2, 1, 1],
    ...     "rate": ["8.1", "8.1", "2.6"],
    ... })
    >>> explain_order(orders, 7, PricingRules()).totals.total_gross
    17050

    Raises:
        InvalidInput: no row has this id, or none with such units; or as for ``reprice``.
        InvalidLines, InvalidAmount, InvalidDiscount, UnknownCurrency, InvalidOption: as for ``reprice``.
    """
    reading = OrderReading(columns or {}, Lines.SCATTERED, currency, rounding, zone, ids or {})
    order = _of_checkout(_eager(orders), by, checkout)
    found = _priced(order, rules, by, reading)
    baskets = np.flatnonzero(found.returned[found.groups.firsts] == returned)
    if not len(baskets):
        kind = "returned" if returned else "sold"
        raise InvalidInput(f"checkout {checkout!r}: no {kind} units; pass returned={not returned}")
    (basket,) = baskets.tolist()
    totals = checkout_totals(
        found.lines.basket(basket),
        automatic=rules.automatic,
        promo_codes=_entered(order, found, basket, reading.columns.get("codes", "codes")),
        policy=rules.policy,
        context=found.context.context(basket),
    )
    return explain(totals, currency=None if currency is None else as_currency(currency))


def _entered(
    order: nw.DataFrame[Any], found: PricedOrders, basket: int, column: str | None
) -> list[PromoCode | UnknownCode]:
    if column is None or column not in order.columns:
        return []
    entered = entered_codes(one_array(order.get_column(column).to_arrow()))
    codes = entered.together[entered.rows[found.groups.firsts[basket]]]
    known = {promo_code.code: promo_code for promo_code in found.plan.rules.promo_codes}
    return [known.get(code) or UnknownCode(code) for code in codes]


def _of_checkout(frame: nw.DataFrame[Any], by: str, checkout: object) -> nw.DataFrame[Any]:
    if by not in frame.columns:
        raise InvalidInput(f"no column {by!r} among {', '.join(map(repr, frame.columns))}")
    own = one_array(frame.get_column(by).to_arrow())
    try:
        rows = pc.equal(own, pa.scalar(checkout, own.type)).fill_null(False)
    except (pa.ArrowException, TypeError):
        raise InvalidInput(f"column {by!r}: expected an id of type {own.type}, got {checkout!r}") from None
    if not pc.any(rows).as_py():
        raise InvalidInput(f"column {by!r}: no checkout {checkout!r}")
    return frame.filter(rows.to_pylist())


# ---------------------------------------------------------------- the report


def _eager(orders: object) -> nw.DataFrame[Any]:
    frame = frame_of(orders)
    return frame.collect(backend=nw.Implementation.PYARROW) if isinstance(frame, nw.LazyFrame) else frame


def _priced(eager: nw.DataFrame[Any], rules: PricingRules, by: str, reading: OrderReading) -> PricedOrders:
    plan = plan_of(by, rules, eager.columns, reading, figures=Figures.LINES)
    chosen = chosen_columns(eager, plan)
    table = pa.table([chosen.column(name) for name in plan.names.values()], names=list(plan.names))
    check_types(table.schema, plan)
    try:
        return priced(table, plan)
    except FaultyOrders as faulty:
        raise faulty.faults.error() from None


def _keys(eager: nw.DataFrame[Any], groups: Sequence[str]) -> dict[str, Any]:
    """Return the columns to group by as Arrow arrays of strings."""
    if isinstance(groups, str) or not groups:
        raise InvalidInput(f"groups: expected at least one column, as in ['product'], got {groups!r}")
    faults, keys = [], {}
    for name in groups:
        if name not in eager.columns:
            faults.append(f"groups: no column {name!r} among {', '.join(map(repr, eager.columns))}")
            continue
        column = one_array(eager.get_column(name).to_arrow())
        if cannot_be_keys(column.type):
            faults.append(f"groups: column {name!r} is of type {column.type}, which cannot be grouped")
            continue
        keys[name] = week_or_text(column)
    if faults:
        raise InvalidInput(*faults)
    return keys


def _bridge(name: str, keys: Any, before: Any, after: Any) -> Bridge:
    exact = pa.decimal128(19)  # sums of int64 would overflow without an error
    table = pa.table({"key": keys, "before": before.cast(exact), "after": after.cast(exact)})
    sums = table.group_by("key").aggregate([("before", "sum"), ("after", "sum")])
    steps = [
        BridgeStep(row["key"], int(row["before_sum"]), int(row["after_sum"])) for row in sums.to_pylist()
    ]
    return Bridge(name, tuple(sorted(steps, key=lambda step: (step.key is None, step.key or ""))))


def _unmatched(
    eager: nw.DataFrame[Any], orders: PricedOrders, *, by: str, columns: Mapping[str, str | None]
) -> tuple[UnmatchedCode, ...]:
    """Return the codes that were entered, but gave no discount in any checkout."""
    known, results = orders.plan.rules.promo_codes, orders.totals.promo_codes
    applied = np.unique(results.entered.codes[results.reasons == VALID]).tolist()
    matched = PricingRules(promo_codes=tuple([known[index] for index in applied]))
    counts = ranked(unknown_in_frame(eager.to_native(), matched, by=by, columns=columns))
    names = {promo_code.code for promo_code in known}
    return tuple([UnmatchedCode(code, count, code in names) for code, count in counts.items()])
