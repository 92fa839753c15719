"""B: a million carts of one to nine lines to price in one call, and their exact result.

The carts have list prices, a code of 10 % of the cart (rounded half up, allocated by largest remainder, ties
to the earlier line) and two VAT rates. The VAT of each rate of a cart is rounded once; the nets of totals and
of discounts are allocated to its lines by largest remainder. ``checkout_totals`` does so by default.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.basket.lines import Line
from faregate.discounts.kinds import Percentage, PromoCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals

CARTS = 1_000_000
MOST_LINES = 9
MILLION = 1_000_000
PERCENT_OFF = 10
RATES = (81_000, 26_000)
"""VAT rates in parts per million."""
SAMPLE = 2_000
"""Number of carts that are priced one by one for comparison."""
CODE = PromoCode(code="TEN", kind=Percentage.percent(PERCENT_OFF))

Column = npt.NDArray[np.int64]


class Carts(NamedTuple):
    """Lines of all carts, cart by cart: int64 ``[n]``; *offsets*: int64 ``[m + 1]``."""

    offsets: Column
    unit_price: Column
    quantity: Column
    rate: Column

    @property
    def cart(self) -> Column:
        """Cart of each line."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def columns(self) -> dict[str, Column]:
        """Return the columns of a frame or table."""
        return {
            "line": np.arange(len(self.rate)),
            "cart": self.cart,
            "unit_price": self.unit_price,
            "quantity": self.quantity,
            "rate": self.rate,
        }


@cache
def workload(carts: int) -> Carts:
    random = np.random.default_rng(2)
    offsets = np.zeros(carts + 1, np.int64)
    np.cumsum(random.integers(1, MOST_LINES + 1, carts), out=offsets[1:])
    n = int(offsets[-1])
    prices = 1250 + 375 * random.integers(0, 7, n) + random.integers(0, 100, n)
    return Carts(offsets, prices, random.integers(1, 5, n), np.array(RATES)[random.integers(0, 2, n)])


class Figures(NamedTuple):
    """Figures of lines, int64 ``[n]``, or of carts, ``[m]``: the numbers of ``LineTotals``.

    With one code and no automatic discount, ``promo_code_discount`` is ``total_discount_gross`` and
    ``auto_discount_amount`` is 0, so they are left out.
    """

    list_gross: Any
    list_net: Any
    discount_gross: Any
    discount_net: Any
    total_gross: Any
    total_net: Any


class Answer(NamedTuple):
    lines: Figures
    carts: Figures


@dataclass(frozen=True, slots=True)
class BatchPeer:
    """A way to price; ``prepare`` converts the carts to its input and returns the timed call.

    ``read`` converts its result to the order of the lines; it is not timed.
    """

    name: str
    package: str
    prepare: Callable[[Carts], Callable[[], Any]]
    read: Callable[[Any], Answer] = lambda answer: answer


def one_by_one(carts: Carts, count: int) -> list[tuple[Figures, list[Figures]]]:
    """Return the scalar function's figures of each cart and of its lines."""
    rates = {rate: VatRate(parts_per_million=rate) for rate in RATES}
    bounds = carts.offsets[: count + 1].tolist()
    columns = [column[: bounds[-1]].tolist() for column in (carts.unit_price, carts.quantity, carts.rate)]
    lines = [
        Line(key, price, quantity, rates[rate])
        for key, (price, quantity, rate) in enumerate(zip(*columns, strict=True))
    ]
    totals = [
        checkout_totals(lines[start:end], promo_codes=[CODE]) for start, end in itertools.pairwise(bounds)
    ]
    return [(figures_of(own), [figures_of(line) for line in own.lines]) for own in totals]


def figures_of(of: Any) -> Figures:
    return Figures(
        of.list_price_gross,
        of.list_price_net,
        of.total_discount_gross,
        of.total_discount_net,
        of.total_gross,
        of.total_net,
    )


def check_sample(carts: Carts, answer: Answer) -> None:
    """Raise ValueError unless the first carts equal those of the scalar function."""
    for index, (cart, lines) in enumerate(one_by_one(carts, min(SAMPLE, len(carts.offsets) - 1))):
        start, end = carts.offsets[index : index + 2].tolist()
        found = [
            Figures(*row) for row in zip(*(own[start:end].tolist() for own in answer.lines), strict=True)
        ]
        if found != lines or Figures(*(int(own[index]) for own in answer.carts)) != cart:
            raise ValueError(f"cart {index}: expected {lines}, got {found}")


def difference(answer: Answer, right: Answer) -> str:
    """Return "exact", or the number of lines with other figures."""
    wrong = np.zeros(len(right.lines.total_net), bool)
    for own, other in zip(answer.lines, right.lines, strict=True):
        wrong |= np.asarray(own) != np.asarray(other)
    sums = all(np.array_equal(own, other) for own, other in zip(answer.carts, right.carts, strict=True))
    if wrong.any() or not sums:
        return f"{np.count_nonzero(wrong):,} lines other" + ("" if sums else ", carts other")
    return "exact"
