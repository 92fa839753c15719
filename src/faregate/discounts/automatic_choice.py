"""The choice among automatic discounts that exclude one another. Decisions §3.2.

Discounts on several lines together are rivals if they need the same lines. Rivals are compared with each
other and with the amounts that other discounts would take off. The comparison is exact within fixed limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import lcm
from operator import floordiv
from typing import NamedTuple

from faregate.basket.policy import AutomaticChoice, Fairness, TotalsPolicy
from faregate.discounts.amounts import claimed_units, discount_shares, line_amount
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Bundle, BuyXGetY, FixedPrice
from faregate.discounts.targets import Target
from faregate.discounts.unit_claims import (
    Claims,
    GroupKind,
    Stock,
    TooLong,
    best_claims,
    group_rule,
    target_of_units,
)
from faregate.money.amounts import MILLION, MinorUnits

OF_GROUPS = (BuyXGetY, FixedPrice, Bundle)
"""Kinds of discount that can apply to groups of units."""

MAX_RIVALS = 12
"""Maximum number of rivals that are compared exactly."""


class Candidate(NamedTuple):
    """An automatic discount that applies, and the amounts that it would take off on its own."""

    discount: AutomaticDiscount
    target: Target
    shares: list[MinorUnits]
    unapplied: MinorUnits


@dataclass(slots=True)
class Choice:
    """The chosen candidates, given by their indices, and the units that group discounts claim."""

    as_alone: list[int] = field(default_factory=list)
    """Indices of the candidates that take off the same amounts as they would on their own."""
    claims: Claims = field(default_factory=dict)
    """Units that the other chosen candidates claim, keyed by the index of the candidate."""
    is_exact: bool = True


def unit_groups(discount: AutomaticDiscount, policy: TotalsPolicy) -> GroupKind | None:
    """Return the kind of *discount* if its groups of units can be claimed separately; otherwise None."""
    kind = discount.kind
    if (
        isinstance(kind, OF_GROUPS)
        and discount.is_group_rule
        and discount.max_amount is None
        and policy.automatic_choice is AutomaticChoice.UNIT
        and policy.fairness is Fairness.CUSTOMER
    ):
        return kind
    return None


def is_rival(discount: AutomaticDiscount, policy: TotalsPolicy) -> bool:
    """Return True if *discount* must be chosen or dropped for several lines or units together."""
    return discount.is_group_rule or (
        discount.max_amount is not None and policy.automatic_choice is AutomaticChoice.UNIT
    )


class _Rival(NamedTuple):
    place: int
    candidate: Candidate
    groups: GroupKind | None
    """Kind of the discount if its groups can be claimed separately; None if it applies only as a whole."""
    touched: frozenset[int]
    """Lines that the rival reduces."""
    used: frozenset[int]
    """Lines whose units the rival needs, whether it reduces them or not."""

    @classmethod
    def of(cls, place: int, candidate: Candidate, policy: TotalsPolicy) -> _Rival:
        discount, target, shares, _ = candidate
        groups = unit_groups(discount, policy)
        used = touched = frozenset([line for line, share in enumerate(shares) if share])
        if groups is not None or isinstance(discount.kind, BuyXGetY):
            used = used.union(target.scope, (target.rewards or ()) if groups else ())
        return cls(place, candidate, groups, touched, used)

    def excludes(self, other: _Rival) -> bool:
        """Return True if either rival reduces a line that the other needs."""
        return not (self.touched.isdisjoint(other.used) and self.used.isdisjoint(other.touched))


def choose(candidates: Sequence[Candidate], policy: TotalsPolicy) -> Choice:
    """Choose the *candidates* (ordered by priority and id) that together take off the largest amount.

    Up to ``MAX_RIVALS`` discounts that need the same lines are compared exactly. If there are more, they are
    tried in turn, starting with the largest gain.
    """
    rivals = [
        _Rival.of(place, candidate, policy)
        for place, candidate in enumerate(candidates)
        if is_rival(candidate.discount, policy)
    ]
    if not rivals:
        return Choice()
    chooser = _Chooser.of(candidates, policy)
    for rivals_of_another in _components(rivals):
        chooser.settle(rivals_of_another)
    return chooser.choice


def _components(rivals: Iterable[_Rival]) -> list[list[_Rival]]:
    """Group the rivals that compete for the same lines, directly or through other rivals."""
    parts: list[list[_Rival]] = []
    for rival in rivals:
        joined = [part for part in parts if any(not rival.used.isdisjoint(own.used) for own in part)]
        parts = [part for part in parts if part not in joined]
        parts.append([*(own for part in joined for own in part), rival])
    return [sorted(part, key=lambda rival: rival.place) for part in parts]


@dataclass(slots=True)
class _Chooser:
    stock: Stock
    policy: TotalsPolicy
    choice: Choice

    @classmethod
    def of(cls, candidates: Sequence[Candidate], policy: TotalsPolicy) -> _Chooser:
        target = candidates[0].target
        singles = [own for own in candidates if not is_rival(own.discount, policy)]
        known: dict[tuple[int, int], MinorUnits] = {}
        unit_prices = list(map(floordiv, target.prices, target.quantities))
        unit_rooms = list(map(floordiv, target.room, target.quantities))

        def single(line: int, units: int) -> MinorUnits:
            if (line, units) not in known:
                amounts = [amount_of_units(own, line, units, policy) for own in singles]
                known[line, units] = max(amounts, default=0)
            return known[line, units]

        kinds = [own.discount.kind for own in candidates]
        scale = MILLION * lcm(*[kind.group_size for kind in kinds if isinstance(kind, (FixedPrice, Bundle))])
        once = [own.shares for own in singles if isinstance(own.discount.kind, Absolute)]
        lines = {line for shares in once for line, share in enumerate(shares) if share}
        stock = Stock(unit_prices, unit_rooms, list(target.quantities), single, scale, lines)
        return cls(stock, policy, Choice())

    def settle(self, rivals: Sequence[_Rival]) -> None:
        """Choose among *rivals*, which compete for the same lines, and add the result to ``choice``."""
        first = rivals[0]
        if len(rivals) == 1 and (first.groups is None or self._is_undisputed(first)):
            if self._advantage(first) > 0:
                self.choice.as_alone.append(first.place)
            return
        if len(rivals) <= MAX_RIVALS:
            try:
                self._settle_exactly(rivals)
            except TooLong:
                pass
            else:
                return
        self.choice.is_exact = False
        self._settle_in_turn(rivals)

    def _is_undisputed(self, rival: _Rival) -> bool:
        return not any(self.stock.single(line, self.stock.units[line]) for line in rival.used)

    def _advantage(self, rival: _Rival) -> MinorUnits:
        """Return the amount that *rival* takes off, less what other discounts would take off instead."""
        displaced = sum([self.stock.single(line, self.stock.units[line]) for line in rival.touched])
        return sum(rival.candidate.shares) - displaced

    def _best_claims(self, rivals: Iterable[_Rival], lines: frozenset[int]) -> tuple[int, Claims]:
        """Return the largest gain that *rivals* can reach by claiming units of *lines*, and the claims."""
        left = {line: self.stock.units[line] for line in lines}
        rules = [
            group_rule(rival.place, kind, target_of_units(rival.candidate.target, left), self.stock)
            for rival in rivals
            if (kind := rival.groups) is not None
        ]
        return best_claims(rules, self.stock, lines)

    def _settle_exactly(self, rivals: Sequence[_Rival]) -> None:
        """Try every set of rivals that apply as a whole, with the best claims on the other lines."""
        self.stock.steps = 0
        wholes = [(rival, self._advantage(rival)) for rival in rivals if rival.groups is None]
        wholes = [(rival, gain) for rival, gain in wholes if gain > 0]
        lines = frozenset[int]().union(*[rival.used for rival in rivals if rival.groups])
        most, claims = self._best_claims(rivals, lines)
        best: tuple[int, int, list[_Rival], Claims] = most, 0, [], claims

        def visit(place: int, taken: list[_Rival], gain: int) -> None:
            nonlocal best
            if gain + sum([own for _, own in wholes[place:]]) * self.stock.scale + most < best[0]:
                return
            if place < len(wholes):
                rival, own = wholes[place]
                if not any(map(rival.excludes, taken)):
                    visit(place + 1, [*taken, rival], gain + own * self.stock.scale)
                visit(place + 1, taken, gain)
                return
            more, claims = self._best_claims(rivals, lines.difference(*[rival.used for rival in taken]))
            if (gain + more, -len(taken)) > best[:2]:
                best = gain + more, -len(taken), taken, claims

        visit(0, [], 0)
        self.choice.as_alone += [rival.place for rival in best[2]]
        self.choice.claims |= best[3]

    # ------------------------------------------------------------ beyond the limits

    def _settle_in_turn(self, rivals: Sequence[_Rival]) -> None:
        """Try the rivals in descending order of advantage, and choose each that still gains something."""
        whole = self.stock.units
        self.stock.units = whole.copy()
        taken: list[_Rival] = []
        for rival in sorted(rivals, key=lambda rival: -self._advantage(rival)):
            if rival.groups is not None:
                self._claim(rival, rival.groups, rival.used.difference(*[own.used for own in taken]))
            elif (
                self._advantage(rival) > 0
                and not any(map(rival.excludes, taken))
                and all(self.stock.units[line] == whole[line] for line in rival.used)
            ):
                taken.append(rival)
                self.choice.as_alone.append(rival.place)
        self.stock.units = whole

    def _claim(self, rival: _Rival, kind: GroupKind, lines: frozenset[int]) -> None:
        """Claim the best groups of units or, if the search takes too long, as many groups as possible."""
        self.stock.steps = 0
        try:
            _, claims = self._best_claims([rival], lines)
        except TooLong:
            claims = self._all_groups(rival, kind, lines)
        for line, units in claims.get(rival.place, {}).items():
            self.stock.units[line] -= units
        self.choice.claims |= claims

    def _all_groups(self, rival: _Rival, kind: GroupKind, lines: frozenset[int]) -> Claims:
        """Return the claims of all groups that the units left allow; no claims if these gain nothing."""
        stock = self.stock
        target = target_of_units(rival.candidate.target, {line: stock.units[line] for line in lines})
        claims = claimed_units(kind, target, self.policy)
        shares, _ = discount_shares(kind, target, None, self.policy)
        displaced = [
            stock.single(line, stock.units[line]) - stock.single(line, stock.units[line] - units)
            for line, units in claims.items()
        ]
        return {rival.place: claims} if sum(shares) > sum(displaced) else {}


def amount_of_units(candidate: Candidate, line: int, units: int, policy: TotalsPolicy) -> MinorUnits:
    """Return the amount that *candidate*, which applies per line, takes off *units* units of *line*."""
    discount, target, shares, _ = candidate
    of_line = target.quantities[line]
    if units == of_line or not shares[line] or isinstance(discount.kind, (BuyXGetY, Bundle)):
        return shares[line]
    amount = line_amount(discount.kind, target.prices[line] * units // of_line, units, policy)
    return min(amount, target.room[line] * units // of_line)
