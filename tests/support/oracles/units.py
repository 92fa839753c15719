"""The maximum that automatic discounts can take, by trying every group of units. Decisions §3.2."""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from faregate.basket.lines import Line
from faregate.discounts.kinds import (
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    FixedPrice,
    Percentage,
    PerUnit,
    Scope,
)

MILLION = 10**6


class Group(NamedTuple):
    """A group of units that one rule uses together: a bit mask, the gain in millionths, and the rule."""

    units: int
    gain: int
    rule: int


def has(scope: Scope, line: Line) -> bool:
    return not scope.lines or line.key in scope.lines


def single_gain(line: Line, rules: list[AutomaticDiscount]) -> int:
    """Return the gain of one unit under the best unit rule, unrounded."""
    gains = [0]
    for rule in rules:
        match rule.kind:
            case Percentage(parts_per_million=parts) if has(rule.scope, line):
                gains.append(line.unit_price * parts)
            case PerUnit(amount) if has(rule.scope, line):
                gains.append(min(amount, line.unit_price) * MILLION)
            case FixedPrice(price, 1) if has(rule.scope, line):
                gains.append((line.unit_price - price) * MILLION)
    return max(gains)


def groups_of(rule: AutomaticDiscount, place: int, units: list[Line]) -> list[Group]:
    """Return every possible group."""
    own = [n for n, line in enumerate(units) if has(rule.scope, line)]
    match rule.kind:
        case FixedPrice(price, size) if size > 1:
            found = [
                (group, sum(units[n].unit_price for n in group) - price) for group in combinations(own, size)
            ]
            parts = MILLION
        case BuyXGetY(buy, get, parts, rewards=None):
            found = [
                (group, sum(sorted(units[n].unit_price for n in group)[:get]))
                for group in combinations(own, buy + get)
            ]
        case BuyXGetY(buy, get, parts, rewards=Scope() as rewards):
            free = [n for n, line in enumerate(units) if has(rewards, line)]
            bought = [n for n in own if n not in free]
            found = [
                (paid + given, sum(units[n].unit_price for n in given))
                for paid, given in product(combinations(bought, buy), combinations(free, get))
            ]
        case Bundle(parts=parts_of_it, price=price, parts_per_million=parts):
            choices = [
                list(combinations([n for n in own if has(part.scope, units[n])], part.units))
                for part in parts_of_it
            ]
            filled = {tuple(sorted(sum(each, ()))) for each in product(*choices)}
            found = [
                (group, sum(units[n].unit_price for n in group) - (price or 0))
                for group in filled
                if len(set(group)) == len(group)
            ]
            parts = parts or MILLION
        case _:
            return []
    return [Group(sum(1 << n for n in group), gain * parts, place) for group, gain in found]


def most_gain(lines: list[Line], rules: list[AutomaticDiscount]) -> int:
    """Return the maximum gain in millionths of a minor unit, unrounded: each unit in a group or alone."""
    units = [line for line in lines for _ in range(line.quantity)]
    most = [rule.kind.at_most if isinstance(rule.kind, BuyXGetY | Bundle) else None for rule in rules]
    groups: dict[int, list[Group]] = {}
    for place, rule in enumerate(rules):
        for group in groups_of(rule, place, units):
            groups.setdefault(group.units & -group.units, []).append(group)

    @cache
    def best(first: int, used: int, counts: tuple[int, ...]) -> int:
        if first == len(units):
            return 0
        if used >> first & 1:
            return best(first + 1, used, counts)
        gains = [single_gain(units[first], rules) + best(first + 1, used, counts)]
        for own, gain, rule in groups.get(1 << first, []):
            limit = most[rule]
            if not own & used and (limit is None or counts[rule] < limit):
                more = (*counts[:rule], counts[rule] + 1, *counts[rule + 1 :])
                gains.append(gain + best(first + 1, used | own, more))
        return max(gains)

    return best(0, 0, (0,) * len(rules))
