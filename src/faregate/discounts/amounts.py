"""The amount that a discount takes from each line. Decisions §3.4, §3.6.

Every amount is computed exactly and rounded once. An amount for several lines together is allocated to them,
and the shares add up to it. No line goes below 0 or below its floor price; the amount withheld for this
reason is reported as ``unapplied``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from faregate.basket.policy import Fairness, PercentRounding, TotalsPolicy
from faregate.discounts import bundles
from faregate.discounts.kinds import (
    Absolute,
    Bundle,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
)
from faregate.discounts.targets import Target
from faregate.money.allocation import allocate, allocate_capped, apportion
from faregate.money.amounts import MILLION, MinorUnits
from faregate.money.rounding import rdiv

# Looking up an enumeration member costs as much as the arithmetic of a line.
_EACH_LINE = DiscountLevel.LINE
_ROUND_PRICE = PercentRounding.PRICE


Taken: TypeAlias = tuple[list[MinorUnits], MinorUnits]
"""Amount taken off each line, and the amount withheld because of floor prices."""

_OfLine: TypeAlias = Percentage | Absolute | PerUnit | FixedPrice


def discount_shares(
    kind: DiscountKind, target: Target, limit: MinorUnits | None, policy: TotalsPolicy
) -> Taken:
    """Return the amounts taken off the lines, at most *limit* in total, and the amount withheld."""
    if target.most_per_line is not None:
        target = _reduced(target, dict(enumerate(target.usable_units)), target.quantities, policy)
    match kind:
        case BuyXGetY():
            return _from_rewards(kind, target, limit, policy)
        case Bundle():
            return _from_bundles(kind, target, limit, policy)
        case FixedPrice(group_size=size) if size > 1:
            return _from_groups(kind, target, limit, policy)
    if target.most_units is not None:
        target = _of_chosen_units(target, target.most_units, policy)
    if (whole := cart_kind(kind)) is not None:
        return cart_shares(whole, target.prices, target.room, target.scope, limit, policy)
    return _from_lines(kind, target, limit, policy)


def cart_kind(kind: DiscountKind) -> Percentage | Absolute | None:
    """Return *kind* if it takes one amount off all lines in scope together, otherwise None."""
    return kind if isinstance(kind, (Percentage, Absolute)) and kind.level is not _EACH_LINE else None


def line_amount(kind: _OfLine, price: MinorUnits, units: int, policy: TotalsPolicy) -> MinorUnits:
    """Return the amount that *kind* takes off *units* units of a line that together cost *price*."""
    match kind:
        case PerUnit(amount):
            return min(amount * units, price)
        case FixedPrice(each):
            return max(0, price - each * units)
        case _:
            return _amount(kind, price, policy)


def _amount(kind: Percentage | Absolute, price: MinorUnits, policy: TotalsPolicy) -> MinorUnits:
    if isinstance(kind, Absolute):
        return min(kind.amount, price)
    return _percent(price, kind.parts_per_million, policy)


def _percent(price: MinorUnits, parts_per_million: int, policy: TotalsPolicy) -> MinorUnits:
    if policy.percent_rounding is _ROUND_PRICE:
        return price - rdiv(price * (MILLION - parts_per_million), MILLION)
    return rdiv(price * parts_per_million, MILLION)


def cart_shares(
    kind: Percentage | Absolute,
    prices: Sequence[MinorUnits],
    room: Sequence[MinorUnits],
    scope: Sequence[int],
    limit: MinorUnits | None,
    policy: TotalsPolicy,
) -> Taken:
    """Compute one amount for all lines in *scope*, and allocate it to them in proportion to *prices*."""
    total = sum(prices if len(scope) == len(prices) else [prices[index] for index in scope])
    amount = _amount(kind, total, policy)
    if limit is not None and amount > limit:
        amount = limit
    shares = [0] * len(prices)
    if not amount:
        return shares, 0
    if room is prices:
        apportion(shares, prices, scope, amount, total, amount)
        return shares, 0
    capped = allocate_capped(amount, [prices[index] for index in scope], [room[index] for index in scope])
    return _spread(scope, capped.shares, len(prices)), capped.unapplied


def _from_lines(kind: _OfLine, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    prices, room, quantities, scope = target.prices, target.room, target.quantities, target.scope
    wanted = [line_amount(kind, prices[index], quantities[index], policy) for index in scope]
    shares = [min(amount, room[index]) for amount, index in zip(wanted, scope, strict=True)]
    if limit is not None and sum(shares) > limit:
        shares = list(allocate(limit, shares))
    unapplied = max(0, _limited(sum(wanted), limit) - sum(shares))
    return _spread(scope, shares, len(prices)), unapplied


def _of_chosen_units(target: Target, most: int, policy: TotalsPolicy) -> Target:
    """Return *target* reduced to *most* units chosen by the policy; units priced at 0 do not count."""
    for_customer = policy.fairness is Fairness.CUSTOMER
    counts = list(map(min, target.quantities, target.prices))
    runs, units = _runs(
        replace(target, quantities=counts), [index for index in target.scope if counts[index]]
    )
    if units <= most:
        return target
    if not for_customer:
        runs.sort(key=lambda run: (run.price, run.line))
    chosen = _first_units(runs, most)
    return replace(_reduced(target, chosen, counts, policy), scope=sorted(chosen))


def _reduced(
    target: Target, chosen: Mapping[int, int], counts: Sequence[int], policy: TotalsPolicy
) -> Target:
    """Return *target* with only the *chosen* units of each line, of *counts* that share its price."""
    for_customer = policy.fairness is Fairness.CUSTOMER

    def part(amounts: Sequence[MinorUnits]) -> list[MinorUnits]:
        parts = {n: _part(amounts[n], units, counts[n], dearest=for_customer) for n, units in chosen.items()}
        return [parts.get(n, 0) for n in range(len(amounts))]

    prices = part(target.prices)
    room = prices if target.room is target.prices else part(target.room)
    return replace(
        target, prices=prices, room=room, quantities=[chosen.get(n, 0) for n in range(len(prices))]
    )


def _part(amount: MinorUnits, units: int, of: int, *, dearest: bool) -> MinorUnits:
    """Split *amount* evenly into *of* parts; return the sum of the *units* largest (or smallest) parts."""
    each, larger = divmod(amount, of)
    return each * units + (min(units, larger) if dearest else max(0, units - of + larger))


class _Run(NamedTuple):
    """Units of one line that have the same price."""

    price: MinorUnits
    units: int
    line: int


def _from_groups(kind: FixedPrice, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    runs, units = _runs(target, target.scope)
    groups = _groups(kind, target, runs, policy)
    values = _values(runs, _end(units, groups * kind.group_size, policy))
    amount = max(0, sum(values.values()) - kind.price * groups)
    return _from_values(target, values, _limited(amount, limit))


def _from_rewards(kind: BuyXGetY, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    runs, units = _runs(target, target.scope if target.rewards is None else target.rewards)
    groups = _groups(kind, target, runs, policy)
    if target.rewards is None and policy.fairness is Fairness.CUSTOMER:
        free = _tail_of_groups(kind, groups)
    else:
        free = _end(units, groups * kind.get, policy)
    values = _values(runs, free)
    amount = _percent(sum(values.values()), kind.parts_per_million, policy)
    if kind.spread:
        paid = groups * kind.buy
        if target.rewards is not None:
            bought, _ = _runs(target, set(target.scope).difference(target.rewards))
            values |= _values(bought, lambda first: min(first, paid))
        elif policy.fairness is Fairness.CUSTOMER:
            values = _values(runs, lambda first: min(first, paid + groups * kind.get))
        else:
            values = _values(runs, lambda first: min(first, paid) + free(first))
    return _from_values(target, values, _limited(amount, limit))


def _from_bundles(kind: Bundle, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    runs, count = _bundled(kind, target, policy)
    values: dict[int, MinorUnits] = {}
    for price, units, line in runs:
        values[line] = values.get(line, 0) + price * units
    worth = sum(values.values())
    if kind.price is not None:
        amount = max(0, worth - kind.price * count)
    else:
        amount = _percent(worth, kind.parts_per_million or 0, policy)
    return _from_values(target, values, _limited(amount, limit))


def _bundled(kind: Bundle, target: Target, policy: TotalsPolicy) -> tuple[list[_Run], int]:
    """Return the units in bundles, and the number of bundles."""
    for_customer = policy.fairness is Fairness.CUSTOMER
    days = [_DayOfBundles.of(kind, target, parts, for_customer=for_customer) for parts in target.parts]
    worths = [day.worth for day in days]
    counts: Sequence[int] = [bundles.most_bundles(kind, target.quantities, day.parts) for day in days]
    if for_customer and kind.price is not None:
        counts = [bundles.paying(kind.price, *own) for own in zip(worths, counts, strict=True)]
    for limit in (kind.at_most, None if target.most_units is None else target.most_units // kind.group_size):
        if limit is not None:
            counts = bundles.most_worth(worths, counts, limit)
    chosen = [run for day, count in zip(days, counts, strict=True) for run in day.chosen(count)]
    return chosen, sum(counts)


class _DayOfBundles(NamedTuple):
    """Units of one day, in the order in which bundles use them."""

    kind: Bundle
    runs: list[_Run]
    parts: Mapping[int, int]
    sign: int
    """1 if bundles use the dearest units, -1 if they use the cheapest."""

    @classmethod
    def of(
        cls, kind: Bundle, target: Target, parts: Mapping[int, int], *, for_customer: bool
    ) -> _DayOfBundles:
        runs, _ = _runs(target, [line for line in parts if target.quantities[line]])
        if not for_customer:
            runs.reverse()
        return cls(kind, runs, parts, 1 if for_customer else -1)

    def chosen(self, count: int) -> list[_Run]:
        taken = bundles.units_in_bundles(self.kind, self.runs, self.parts, count)
        return [run._replace(units=units) for run, units in zip(self.runs, taken, strict=True) if units]

    def worth(self, count: int) -> MinorUnits:
        return self.sign * sum([run.price * run.units for run in self.chosen(count)])


def _groups(kind: FixedPrice | BuyXGetY, target: Target, runs: Sequence[_Run], policy: TotalsPolicy) -> int:
    """Return the number of whole groups; with ``Fairness.CUSTOMER``, count only bundles that save money."""
    units, most = _units(target, target.scope), target.most_units
    if isinstance(kind, FixedPrice):
        groups = (units if most is None else min(units, most)) // kind.group_size
        return _paying_groups(kind, runs, groups) if policy.fairness is Fairness.CUSTOMER else groups
    if target.rewards is None:
        groups = units // (kind.buy + kind.get)
    else:
        bought = _units(target, set(target.scope).difference(target.rewards))
        groups = min(bought // kind.buy, _units(target, target.rewards) // kind.get)
    if most is not None:
        groups = min(groups, most // kind.get)
    return groups if kind.at_most is None else min(groups, kind.at_most)


def _paying_groups(kind: FixedPrice, runs: Sequence[_Run], groups: int) -> int:
    size = kind.group_size

    def worth(count: int) -> MinorUnits:
        return sum(_values(runs, lambda first: min(first, count * size)).values())

    return bundles.paying(kind.price, worth, groups)


def claimed_units(
    kind: FixedPrice | BuyXGetY | Bundle, target: Target, policy: TotalsPolicy
) -> dict[int, int]:
    """Return, for each line, how many of its units are in groups of *kind*, as purchases or rewards."""
    if isinstance(kind, Bundle):
        claims: dict[int, int] = {}
        for _, units, line in _bundled(kind, target, policy)[0]:
            claims[line] = claims.get(line, 0) + units
        return claims
    runs, _ = _runs(target, target.scope if target.rewards is None else target.rewards)
    groups = _groups(kind, target, runs, policy)
    if isinstance(kind, FixedPrice):
        return _first_units(runs, groups * kind.group_size)
    if target.rewards is None:
        return _first_units(runs, groups * (kind.buy + kind.get))
    bought, _ = _runs(target, set(target.scope).difference(target.rewards))
    return _first_units(runs, groups * kind.get) | _first_units(bought, groups * kind.buy)


def _first_units(runs: Iterable[_Run], count: int) -> dict[int, int]:
    """Return, for each line, how many of its units are among the *count* dearest units."""
    return _values([run._replace(price=1) for run in runs], lambda first: min(first, count))


def missing_units(kind: DiscountKind, target: Target) -> int:
    """Return the number of units still needed for one group of a group discount; 0 for other kinds."""
    target = replace(target, quantities=target.usable_units)
    rewards = target.rewards
    units = _units(target, target.scope)
    match kind:
        case FixedPrice(group_size=size):
            return max(0, size - units)
        case BuyXGetY(buy, get) if rewards is None:
            return max(0, buy + get - units)
        case BuyXGetY(buy, get):
            bought = _units(target, set(target.scope).difference(rewards or ()))
            return max(0, buy - bought) + max(0, get - _units(target, rewards or ()))
        case Bundle():
            return bundles.missing_units(kind, target.quantities, target.parts)
        case _:
            return 0


def _units(target: Target, indices: Iterable[int]) -> int:
    return sum([target.quantities[index] for index in indices])


def _runs(target: Target, scope: Iterable[int]) -> tuple[list[_Run], int]:
    """Return the units in scope as runs of equal price, dearest first, and the number of units.

    If the price of a line is not divisible by its quantity, some of its units cost one minor unit more.
    """
    runs = []
    for index in scope:
        quantity = target.quantities[index]
        price, dearer = divmod(target.prices[index], quantity)
        if dearer:
            runs.append(_Run(price + 1, dearer, index))
        runs.append(_Run(price, quantity - dearer, index))
    runs.sort(key=lambda run: (-run.price, run.line))
    return runs, sum([run.units for run in runs])


# A selection is a function: given n, it returns how many of the n dearest units are selected.


def _end(units: int, count: int, policy: TotalsPolicy) -> Callable[[int], int]:
    """Return a function that tells how many of the *n* dearest units are among the *count* selected ones."""
    if policy.fairness is Fairness.CUSTOMER:
        return lambda first: min(first, count)
    return lambda first: max(0, first - (units - count))


def _tail_of_groups(kind: BuyXGetY, groups: int) -> Callable[[int], int]:
    """Return a function that tells how many of the *n* dearest units are the cheapest in their group."""
    size = kind.buy + kind.get

    def held(first: int) -> int:
        whole, rest = divmod(min(first, groups * size), size)
        return whole * kind.get + max(0, rest - kind.buy)

    return held


def _values(runs: Sequence[_Run], held: Callable[[int], int]) -> dict[int, MinorUnits]:
    """Return the total price of the selected units of each line.

    ``held(n)`` is the number of selected units among the *n* dearest.
    """
    values: dict[int, MinorUnits] = {}
    position = 0
    for price, units, line in runs:
        count = held(position + units) - held(position)
        position += units
        if count:
            values[line] = values.get(line, 0) + count * price
    return values


def _from_values(target: Target, values: dict[int, MinorUnits], amount: MinorUnits) -> Taken:
    """Allocate *amount* to lines in proportion to *values*; no share exceeds a line's value or room."""
    if not amount:
        return [0] * len(target.prices), 0
    lines = sorted(values)
    weights = [values[line] for line in lines]
    caps = [min(values[line], target.room[line]) for line in lines]
    capped = allocate_capped(amount, weights, caps)
    return _spread(lines, capped.shares, len(target.prices)), capped.unapplied


def _limited(amount: MinorUnits, limit: MinorUnits | None) -> MinorUnits:
    return amount if limit is None else min(amount, limit)


def _spread(indices: Iterable[int], shares: Iterable[MinorUnits], length: int) -> list[MinorUnits]:
    """Return a list of *length* amounts: *shares* at the given *indices*, and 0 elsewhere."""
    spread = [0] * length
    for index, share in zip(indices, shares, strict=True):
        spread[index] = share
    return spread
