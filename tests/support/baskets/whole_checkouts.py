"""Strategies for pricing requests, and their totals."""

from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from faregate.basket.policy import TotalsPolicy
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import (
    MOST_LINES,
    SCALES,
    automatic_discounts,
    baskets,
    contexts,
    entered_codes,
    every_policy,
    quantities,
    rarely,
    scales,
    vouchers,
)


class Sizes(NamedTuple):
    """The maximum sizes of a checkout's parts."""

    lines: int = MOST_LINES
    automatic: int = 4
    codes: int = 4
    vouchers: int = 3


@st.composite
def checkouts(
    draw: DrawFn,
    *,
    policy: SearchStrategy[TotalsPolicy] = every_policy,
    sizes: Sizes = Sizes(),  # noqa: B008
    min_lines: int = 0,
    min_automatic: int = 0,
    min_codes: int = 0,
    line_quantities: SearchStrategy[int] = quantities,
) -> PricingRequest:
    """Draw a complete pricing request."""
    scale = draw(scales)
    return PricingRequest(
        lines=draw(
            baskets(scale=scale, min_lines=min_lines, max_lines=sizes.lines, line_quantities=line_quantities)
        ),
        automatic=draw(automatic_discounts(scale, min_size=min_automatic, max_size=sizes.automatic)),
        promo_codes=draw(entered_codes(scale, min_size=min_codes, max_size=sizes.codes)),
        donation=draw(_donations[scale]),
        vouchers=draw(vouchers(scale, max_size=sizes.vouchers)),
        policy=draw(policy),
        context=draw(contexts),
    )


_donations = {scale: rarely(st.integers(1, scale), 0) for scale in SCALES}


def priced(request: PricingRequest) -> CheckoutTotals:
    """Return the totals of *request*."""
    arguments = request._asdict()
    return checkout_totals(arguments.pop("lines"), **arguments)
