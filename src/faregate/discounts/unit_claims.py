"""Search for the best assignment of units to competing group discounts. Decisions §3.2.

Every unit is in at most one group. The search takes the lines in descending order of unit price. For each
state of the groups that are still incomplete, it keeps only the best path, so the result is optimal. Units of
the same line are not distinguished.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import ge, sub
from typing import NamedTuple, TypeAlias

from faregate.discounts.bundles import most_bundles
from faregate.discounts.kinds import Bundle, BuyXGetY, FixedPrice
from faregate.discounts.targets import Target
from faregate.money.amounts import MILLION, MinorUnits

MAX_STEPS = 20_000
"""Maximum number of steps of one search, about 20 ms."""

GroupKind: TypeAlias = FixedPrice | BuyXGetY | Bundle
Claims: TypeAlias = dict[int, dict[int, int]]
"""Number of units that each rule claims on each line, keyed by ``GroupRule.place``, then by line."""


class TooLong(Exception):
    """The search has taken more than ``MAX_STEPS`` steps."""


@dataclass(slots=True)
class Stock:
    """The available units of each line, and the discount they get if no group claims them."""

    prices: Sequence[MinorUnits]
    """Price of one unit of each line."""
    rooms: Sequence[MinorUnits]
    """Maximum amount to take off one unit of each line."""
    units: list[int]
    single: Callable[[int, int], MinorUnits]
    """Function of a line and a number of its units: the most that a non-rival discount takes off them."""
    scale: int
    """Factor by which all gains are multiplied to make them whole numbers."""
    deducted_once: Collection[int] = ()
    """Lines whose units can share an amount that is deducted once per line."""
    steps: int = 0

    def count_step(self) -> None:
        """Count one step of the search; raise ``TooLong`` if there are now more than ``MAX_STEPS``."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLong


_Counter: TypeAlias = tuple[int, ...]
"""Units of each part of an incomplete group and, for a limited rule, the number of complete groups.

The parts of buy X get Y are the units bought and the units reduced.
"""


class GroupRule(NamedTuple):
    """A group discount as seen by the search: a group has ``buy`` full-price and ``get`` reduced units."""

    place: int
    buy: int
    get: int
    most: int
    """Maximum number of groups."""
    is_limited: bool
    """True if the rule limits the number of groups, False if only the available units do."""
    bought: frozenset[int]
    """Lines whose units are never reduced; if empty, a line may have full-price and reduced units."""
    has_rewards: bool
    gains: Mapping[int, int]
    """Gain from reducing one unit of each line."""

    @classmethod
    def of(cls, place: int, kind: FixedPrice | BuyXGetY, target: Target, stock: Stock) -> GroupRule:
        """Return the rule for candidate number *place*: a discount of *kind* on the lines of *target*."""
        if isinstance(kind, FixedPrice):
            buy, get, most = 0, kind.group_size, None
            parts, fixed = stock.scale, kind.price * stock.scale // kind.group_size
        else:
            buy, get, most = kind.buy, kind.get, kind.at_most
            parts, fixed = kind.parts_per_million * (stock.scale // MILLION), 0
        reduced = target.scope if target.rewards is None else target.rewards
        bought = frozenset(() if target.rewards is None else set(target.scope).difference(reduced))
        units = sum([stock.units[line] for line in reduced])
        groups = units // (buy + get)
        if target.rewards is not None:
            groups = min(units // get, sum([stock.units[line] for line in bought]) // buy)
        gains = _gains(reduced, stock, parts, fixed)
        is_limited = most is not None and most < groups
        return cls(
            place,
            buy,
            get,
            most if most is not None and is_limited else groups,
            is_limited,
            bought,
            target.rewards is not None,
            gains,
        )

    @property
    def empty(self) -> _Counter:
        return (0, 0, 0)

    def with_unit(self, counter: _Counter, line: int) -> Sequence[tuple[_Counter, int]]:
        """Return the counters that one more unit of *line* leads to, each with its gain."""
        bought, reduced, groups = counter
        gain = 0
        if line in self.bought or (not self.has_rewards and bought < self.buy):
            bought += 1
            if bought > (self.most - groups) * self.buy:
                return ()
        else:
            reduced += 1
            if reduced > (self.most - groups) * self.get:
                return ()
            gain = self.gains[line]
        if bought >= self.buy and reduced >= self.get:
            bought, reduced, groups = bought - self.buy, reduced - self.get, groups + self.is_limited
        return (((bought, reduced, groups), gain),)


class BundleRule(NamedTuple):
    """A bundle as seen by the search; fields that ``GroupRule`` has too have the same meaning."""

    place: int
    sizes: tuple[int, ...]
    """Units of each part of a bundle."""
    most: int
    is_limited: bool
    parts: Mapping[int, tuple[int, int]]
    """Bit mask of the parts that each line can fill, and the place of its day in counters."""
    empty: _Counter
    gains: Mapping[int, int]
    bought: frozenset[int] = frozenset()
    has_rewards: bool = True
    """True, because units of one line may not suffice for a bundle."""
    buy: int = 0

    @classmethod
    def of(cls, place: int, kind: Bundle, target: Target, stock: Stock) -> BundleRule:
        """Return the rule for candidate number *place*: a bundle of units on the lines of *target*."""
        parts, fixed = (kind.parts_per_million or 0) * (stock.scale // MILLION), 0
        if kind.price is not None:
            parts, fixed = stock.scale, kind.price * stock.scale // kind.group_size
        available = sum([most_bundles(kind, target.quantities, own) for own in target.parts])
        most = available if kind.at_most is None else min(available, kind.at_most)
        sizes = tuple([part.units for part in kind.parts])
        days = enumerate(target.parts)
        return cls(
            place,
            sizes,
            most,
            most < available,
            {line: (own, day * len(sizes)) for day, parts_of in days for line, own in parts_of.items()},
            (0,) * (len(target.parts) * len(sizes) + 1),
            _gains(target.scope, stock, parts, fixed),
        )

    @property
    def get(self) -> int:
        return sum(self.sizes)

    def with_unit(self, counter: _Counter, line: int) -> Sequence[tuple[_Counter, int]]:
        """Return the counters that one more unit of *line* leads to, each with its gain."""
        found = []
        own, first = self.parts[line]
        end = first + len(self.sizes)
        for n, size in enumerate(self.sizes, first):
            if own >> n - first & 1 and counter[n] < (self.most - counter[-1]) * size:
                more = (*counter[:n], counter[n] + 1, *counter[n + 1 :])
                if all(map(ge, more[first:end], self.sizes)):
                    left = map(sub, more[first:end], self.sizes)
                    more = (*more[:first], *left, *more[end:-1], more[-1] + self.is_limited)
                found.append((more, self.gains[line]))
        return found


_Rule: TypeAlias = GroupRule | BundleRule


def group_rule(place: int, kind: GroupKind, target: Target, stock: Stock) -> _Rule:
    """Return the rule for candidate number *place*: a discount of *kind* on the lines of *target*."""
    if isinstance(kind, Bundle):
        return BundleRule.of(place, kind, target, stock)
    return GroupRule.of(place, kind, target, stock)


def _gains(lines: Iterable[int], stock: Stock, parts: int, fixed: int) -> dict[int, int]:
    """Return the gain from reducing one unit of each line by *parts* of its price, less *fixed*."""
    return {line: min(stock.prices[line] * parts - fixed, stock.rooms[line] * stock.scale) for line in lines}


_State: TypeAlias = tuple[_Counter, ...]
_Link: TypeAlias = "tuple[_Link, int, int, int] | None"
"""Path to a state: the previous link, a rule, a line, and the number of units that the rule claimed there."""
_Reached: TypeAlias = "dict[_State, tuple[int, _Link]]"


def best_claims(rules: Sequence[_Rule], stock: Stock, lines: Collection[int]) -> tuple[int, Claims]:
    """Return the most that *rules* can gain on *lines* over the other discounts, and their claims.

    Raises:
        TooLong: the search takes more than ``MAX_STEPS`` steps.
    """
    reached: _Reached = {tuple([rule.empty for rule in rules]): (0, None)}
    for line in sorted(lines, key=lambda line: (-stock.prices[line], line)):
        reached = _past(line, reached, rules, stock)
    finished = [own for state, own in reached.items() if not any(any(counter[:-1]) for counter in state)]
    gain, link = max(finished, key=lambda own: own[0])
    claims: Claims = {}
    while link is not None:
        link, rule, line, units = link
        of_rule = claims.setdefault(rules[rule].place, {})
        of_rule[line] = of_rule.get(line, 0) + units
    singly = sum([stock.single(line, stock.units[line]) for line in lines])
    return gain - singly * stock.scale, claims


def _past(line: int, reached: _Reached, rules: Sequence[_Rule], stock: Stock) -> _Reached:
    """Return the states reached by assigning the units of *line* in every way that may be optimal."""
    own = [n for n, rule in enumerate(rules) if line in rule.gains or line in rule.bought]
    units, sure = _sure_groups(line, [rules[n] for n in own], stock)
    if sure is not None:
        rule, claimed = own[sure], stock.units[line] - units
        size = rules[rule].buy + rules[rule].get
        gained = claimed // size * rules[rule].get * rules[rule].gains[line]
        reached = {
            state: (gain + gained, (link, rule, line, claimed)) for state, (gain, link) in reached.items()
        }
        left = units
    else:
        left = stock.units[line]
    layers = [reached, *({} for _ in range(units if own else 0))]
    for n in own:
        for layer, following in pairwise(layers):
            _claim_one(n, rules[n], line, layer, following, stock)
    best: _Reached = {}
    for used, layer in enumerate(layers):
        single = stock.single(line, left - used) * stock.scale
        for state, (gain, link) in layer.items():
            if state not in best or gain + single > best[state][0]:
                best[state] = gain + single, link
    return best


def _claim_one(n: int, rule: _Rule, line: int, layer: _Reached, following: _Reached, stock: Stock) -> None:
    """Let rule *n* claim one more unit in every state of *layer*; add the results to *following*."""
    for state, (gain, link) in layer.items():
        stock.count_step()
        for counter, more in rule.with_unit(state[n], line):
            reached = (*state[:n], counter, *state[n + 1 :])
            if reached not in following or gain + more > following[reached][0]:
                following[reached] = gain + more, (link, n, line, 1)


def _sure_groups(line: int, rules: Sequence[_Rule], stock: Stock) -> tuple[int, int | None]:
    """Return the number of units of *line* to search, and the index of the rule for the others or None.

    On a line with many units, it is certain which rule gets most of them. Of the rules that can form groups
    from this line alone, the best one gains the most per unit. If groups of another rule claim as many units
    as some whole groups of the best rule would, replacing them gains more. The best rule therefore claims all
    but a limited number of units. An amount deducted once gains less per unit, the more units share it: then
    nothing is certain.
    """
    units = stock.units[line]
    if line in stock.deducted_once:
        return units, None
    rates = {
        n: Fraction(rule.get * rule.gains[line], rule.buy + rule.get)
        for n, rule in enumerate(rules)
        if not rule.has_rewards and not rule.is_limited
    }
    best = max(rates, key=lambda n: rates[n], default=None)
    if best is None or rates[best] * units <= stock.single(line, units) * stock.scale:
        best, size = None, 1
    else:
        size = rules[best].buy + rules[best].get
    others = sum([rules[n].buy + rules[n].get for n in rates]) + 1
    bounded = sum([(rule.buy + rule.get) * rule.most for n, rule in enumerate(rules) if n not in rates])
    kept = units - max(0, units - size * others - bounded) // size * size
    return kept, None if kept == units else best


def target_of_units(target: Target, units: Mapping[int, int]) -> Target:
    """Return *target* reduced to a number of *units* of each line, keyed by line."""
    count = len(target.prices)
    quantities = [units.get(line, 0) for line in range(count)]
    shares = [(n, target.quantities[line]) for line, n in enumerate(quantities)]
    return Target(
        [price * n // of for price, (n, of) in zip(target.prices, shares, strict=True)],
        [room * n // of for room, (n, of) in zip(target.room, shares, strict=True)],
        quantities,
        [line for line in target.scope if quantities[line]],
        None if target.rewards is None else [line for line in target.rewards if quantities[line]],
        parts=target.parts,
    )
