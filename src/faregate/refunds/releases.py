"""Uses and budgets of promo codes that can be used again after a return. Decisions §20."""

from collections.abc import Iterator

from faregate.discounts.promo_codes import AppliedCode
from faregate.money.amounts import MinorUnits
from faregate.refunds.credits import Gone
from faregate.refunds.quote import ReleasedCode
from faregate.totals.pipeline import CheckoutTotals


def released_codes(totals: CheckoutTotals, before: Gone, after: Gone) -> Iterator[ReleasedCode]:
    """Yield what each code gets back if the returned units grow from *before* to *after*."""
    for code in totals.promo_codes:
        if isinstance(code, AppliedCode):
            earlier, now = _released(totals, code, before), _released(totals, code, after)
            if now > earlier:
                yield ReleasedCode(code=code.code, amount=now - earlier, uses=int(now == code.total_amount))


def _released(totals: CheckoutTotals, code: AppliedCode, gone: Gone) -> MinorUnits:
    """Return the part of a code's amount for the units *gone*: an equal part for each unit of a line."""
    return sum(
        [
            share * len(gone[line.key]) // line.quantity
            for line, share in zip(totals.lines, code.shares, strict=True)
            if share and line.key in gone
        ]
    )
