"""The north-star basket A(n), its exact result in fractions, and the description of a contender."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import floor
from typing import Generic, NamedTuple, TypeVar

SIZES = (1, 10, 100, 1000)

UNITS_OFF = 500  # automatic discount over lines 0 and 1
PERCENT_OFF = 10  # promo code, of the remaining price
DONATION = 200
RATES_PER_MILLE = (81, 26)  # rates of even and of odd lines


class Figures(NamedTuple):
    """Figures of a line or of the checkout, whose totals include the donation."""

    list_gross: int
    list_net: int
    automatic: int
    promo: int
    discount_gross: int
    discount_net: int
    total_gross: int
    total_net: int


class Priced(NamedTuple):
    rows: list[Figures]
    totals: Figures


class BasketLine(NamedTuple):
    number: int
    unit_price: int
    quantity: int
    per_mille: int


def basket(n: int) -> list[BasketLine]:
    """Return A(n): ``n`` lines of 1 to 4 units at 12.50 and more, in cents gross."""
    return [BasketLine(i, 1250 + 375 * (i % 7) + i, 1 + i % 4, RATES_PER_MILLE[i % 2]) for i in range(n)]


# Totals from another source, which the reference below must match.
EXPECTED_OF_10 = Figures(50231, 47860, 500, 4973, 5473, 5219, 44958, 42841)
EXPECTED_GROSS_AND_NET = {100: (539637, 515237), 1000: (6466137, 6174049)}


def half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def shared(amount: int, weights: Sequence[int]) -> list[int]:
    """Allocate by largest remainder (Hamilton); ties go to the lower index."""
    return raised([Fraction(amount * weight, sum(weights)) for weight in weights], amount)


def raised(exact: Sequence[Fraction], target: int) -> list[int]:
    shares = [floor(value) for value in exact]
    order = sorted(range(len(exact)), key=lambda i: (shares[i] - exact[i], i))
    for i in order[: target - sum(shares)]:
        shares[i] += 1
    return shares


def nets(gross: Sequence[int], rates: Sequence[int]) -> list[int]:
    """Round the tax once per rate; take floors of the exact nets and raise the largest remainders."""
    result = [0] * len(gross)
    for rate in set(rates):
        lines = [i for i, own in enumerate(rates) if own == rate]
        total = sum(gross[i] for i in lines)
        net = total - half_up(Fraction(total * rate, 1000 + rate))
        exact = [Fraction(gross[i] * 1000, 1000 + rate) for i in lines]
        for i, share in zip(lines, raised(exact, net), strict=True):
            result[i] = share
    return result


def reference(n: int) -> Priced:
    """Return the exact result, computed as directly as possible."""
    lines = basket(n)
    rates = [line.per_mille for line in lines]
    prices = [line.unit_price * line.quantity for line in lines]
    first = prices[:2]
    automatic = shared(min(UNITS_OFF, sum(first)), first) + [0] * (n - len(first))
    left = [price - share for price, share in zip(prices, automatic, strict=True)]
    promo = shared(half_up(Fraction(sum(left) * PERCENT_OFF, 100)), left)
    discounts = [a + p for a, p in zip(automatic, promo, strict=True)]
    totals = [price - discount for price, discount in zip(prices, discounts, strict=True)]
    total_nets, discount_nets = nets(totals, rates), nets(discounts, rates)
    list_nets = [total + discount for total, discount in zip(total_nets, discount_nets, strict=True)]
    columns = (prices, list_nets, automatic, promo, discounts, discount_nets, totals, total_nets)
    return priced(zip(*columns, strict=True))


def priced(rows: Iterable[Iterable[int]]) -> Priced:
    """Return rows and their sums, including the donation."""
    figures = [Figures(*row) for row in rows]
    sums = Figures(*map(sum, zip(*figures, strict=True)))
    return Priced(
        figures,
        sums._replace(total_gross=sums.total_gross + DONATION, total_net=sums.total_net + DONATION),
    )


# ---------------------------------------------------------------- contenders

Lines = TypeVar("Lines")
Result = TypeVar("Result")


class Difference(NamedTuple):
    """Difference of the checkout's totals in cents, and the number of differing lines."""

    gross: int
    net: int
    lines: int


@dataclass(frozen=True, slots=True)
class Contender(Generic[Lines, Result]):
    """A way to price A(n). Only ``run`` is timed; its input is made before, its result read after."""

    name: str
    lines: Callable[[int], Lines]
    run: Callable[[Lines], Result]
    read: Callable[[Result], Priced]
    is_exact: bool = True

    def call(self, n: int) -> Callable[[], Result]:
        """Return the call to time."""
        return partial(self.run, self.lines(n))

    def difference(self, n: int) -> Difference:
        """Return the difference of the result from the reference.

        Raises:
            ValueError: the result differs, although the contender was declared exact.
        """
        exact, answer = reference(n), self.read(self.call(n)())
        wrong = sum(row != own for row, own in zip(exact.rows, answer.rows, strict=True))
        if self.is_exact and answer != exact:
            raise ValueError(f"{self.name}, {n} lines: expected {exact.totals}, got {answer.totals}")
        return Difference(
            answer.totals.total_gross - exact.totals.total_gross,
            answer.totals.total_net - exact.totals.total_net,
            wrong,
        )
