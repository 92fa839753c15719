"""Search for the selection and order of promo codes that leave the least to pay. Decisions §3.3.

Given the amounts left on each line and the codes in ranked order, the search finds the sequence of different
codes that leaves the least to pay. Every code in a sequence must take something off; an exclusive code is
alone in its sequence. A tie goes to the sequence with more codes, then to the first in ranked order. The
search is depth first, in ranked order. It skips a state (codes applied, amounts left) that was reached
before, and a prefix whose lower bound is not better than the best sequence found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import sub
from typing import NamedTuple, TypeAlias

from faregate.money.amounts import MILLION, MinorUnits

MAX_WORK = 75_000
"""Limit on the work of a search; each trial of a code costs the number of lines plus ``_FIXED_WORK``."""

_FIXED_WORK = 25

_Order: TypeAlias = tuple[int, ...]
_Key: TypeAlias = tuple["MinorUnits", int, _Order]
"""Sort key of a sequence: the amount left to pay, the negated number of codes, and the sequence itself."""


class Candidate(NamedTuple):
    """A promo code as seen by the search.

    A percentage code leaves at least ``kept`` parts per million of a basket's price, less ``slack`` minor
    units for rounding.
    """

    is_exclusive: bool
    kept: int | None = None
    slack: MinorUnits = 0


class Offer(NamedTuple):
    """The amount that a code takes off each line now, the sum, and the most it may take off now or later."""

    shares: Sequence[MinorUnits]
    total: MinorUnits
    most: MinorUnits


def best_order(
    left: list[MinorUnits],
    candidates: Sequence[Candidate],
    offer: Callable[[int, list[MinorUnits]], Offer],
    most_work: int = MAX_WORK,
) -> tuple[_Order, bool]:
    """Return the cheapest sequence of codes (indices of *candidates*), and True if the search is complete.

    *offer* takes the index of a code and the amounts left on the lines, and returns the code's offer. If
    *most_work* is used up before the search is complete, the result is the cheapest sequence tried. Each code
    alone, and the ranked order without exclusive codes, are always tried.
    """
    search = _Search(candidates, offer, most_work)
    return search.run(left)


@dataclass
class _Search:
    candidates: Sequence[Candidate]
    offer: Callable[[int, list[MinorUnits]], Offer]
    work_left: int
    best: _Key = (0, 0, ())
    seen: set[tuple[frozenset[int], tuple[MinorUnits, ...]]] = field(default_factory=set)

    def run(self, left: list[MinorUnits]) -> tuple[_Order, bool]:
        self.best = (sum(left), 0, ())
        offers = {index: self.offer(index, left) for index in range(len(self.candidates))}
        for index, offered in offers.items():
            if offered.total:
                self.found(sum(left) - offered.total, (index,))
        together = [index for index in offers if not self.candidates[index].is_exclusive]
        self.try_ranked(left, together)
        live = {index: offers[index] for index in together if offers[index].most}
        self.extend(left, (), live)
        return self.best[2], self.work_left >= 0

    def found(self, cost: MinorUnits, order: _Order) -> None:
        self.best = min(self.best, (cost, -len(order), order))

    def try_ranked(self, left: list[MinorUnits], ranked: Sequence[int]) -> None:
        order: _Order = ()
        for index in ranked:
            shares, total, _ = self.offer(index, left)
            if total:
                left = list(map(sub, left, shares))
                order = (*order, index)
        self.found(sum(left), order)

    def extend(self, left: list[MinorUnits], order: _Order, offers: dict[int, Offer]) -> None:
        """Extend *order* by each code in *offers*: the codes that may still take something off *left*."""
        cost = sum(left)
        self.found(cost, order)
        for index, offered in offers.items():
            if self.work_left < 0 or self.cannot_win(cost, order, offers):
                return
            if not offered.total:
                continue
            after = list(map(sub, left, offered.shares))
            longer = (*order, index)
            state = frozenset(longer), tuple(after)
            if state in self.seen:
                continue
            self.seen.add(state)
            others = {other: offers[other] for other in offers if other != index}
            tried = self.tried(after, longer, others)
            if tried is not None:
                self.extend(after, longer, tried)

    def tried(
        self, left: list[MinorUnits], order: _Order, offers: dict[int, Offer]
    ) -> dict[int, Offer] | None:
        """Return *offers* updated for the amounts *left*; None if they show that *order* cannot win."""
        cost, current = sum(left), dict(offers)
        for index in offers:
            if self.cannot_win(cost, order, current):
                return None
            self.work_left -= len(left) + _FIXED_WORK
            offered = self.offer(index, left)
            if offered.most:
                current[index] = offered
            else:
                del current[index]
        return current

    def cannot_win(self, cost: MinorUnits, order: _Order, offers: dict[int, Offer]) -> bool:
        """Return True if no sequence that begins with *order* can beat the best one found."""
        least = (self.least_cost(cost, offers), -len(order) - len(offers), (*order, *offers))
        return least >= self.best

    def least_cost(self, cost: MinorUnits, offers: dict[int, Offer]) -> MinorUnits:
        """Return a lower bound on the part of *cost* that is left to pay after all *offers*."""
        in_full, kept, scale, fixed = cost, cost, 1, 0
        for index, offered in offers.items():
            _, share, slack = self.candidates[index]
            in_full -= offered.most
            if share is None:
                fixed += offered.most
            else:
                kept, scale, fixed = kept * share, scale * MILLION, fixed + slack
        return max(0, in_full, -(-kept // scale) - fixed)
