"""Pricing of baskets that cannot be priced as columns, one at a time with the scalar function."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import LineColumns
from faregate.batch.basket.terms import Terms
from faregate.batch.discounts.automatic import NO_DISCOUNT
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.discounts.eligibility import VALID, code_of
from faregate.batch.money.rounding import fitting
from faregate.batch.totals.figures import LineTotals, Sums
from faregate.discounts.kinds import AutomaticDiscount
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals import pipeline as totals
from faregate.totals.pipeline import CheckoutTotals


class Single(NamedTuple):
    """Figures of one basket: a row for each line, a row for each entered code, and a row for the basket."""

    lines: list[tuple[int, ...]]
    entries: list[tuple[int, int, int]]
    basket: tuple[int, ...]


def priced_singly(
    columns: LineColumns,
    context: ContextColumns,
    entered: CodeColumns,
    index: int,
    rules: Terms,
) -> Single:
    """Price the basket in row *index* with the scalar function, without donation and vouchers."""
    codes = entered.codes[entered.offsets[index] : entered.offsets[index + 1]].tolist()
    priced = totals.checkout_totals(
        columns.basket(index),
        automatic=rules.automatic,
        promo_codes=[rules.promo_codes[code] for code in codes],
        policy=rules.policy,
        context=context.context(index),
    )
    return _figures(priced, rules.automatic)


def _figures(priced: CheckoutTotals, automatic: Sequence[AutomaticDiscount]) -> Single:
    index = {discount.id: n for n, discount in enumerate(automatic)}
    return Single(
        [
            tuple([_line_figure(getattr(row, name), index) for name in LineTotals._fields])
            for row in priced.lines
        ],
        [
            (result.total_amount, result.unapplied, VALID)
            if isinstance(result, AppliedCode)
            else (0, 0, code_of(result.reason))
            for result in priced.promo_codes
        ],
        tuple([fitting(getattr(priced, name)) for name in Sums._fields]),
    )


def _line_figure(value: int | AutomaticDiscount | None, index: Mapping[int, int]) -> int:
    """Return an amount unchanged, a discount as its index, and None as ``NO_DISCOUNT``."""
    if isinstance(value, int):
        return fitting(value)
    return NO_DISCOUNT if value is None else index[value.id]
