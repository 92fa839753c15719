"""Naive implementations of ``docs/decisions.md`` as oracles: fractions, expanded units, no shortcut.

They use value types of the core, but no code under test. They may be slow.
"""

from dataclasses import replace
from datetime import date, datetime, tzinfo
from fractions import Fraction
from math import floor
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, PercentRounding, PriceBasis, TotalsPolicy
from faregate.dates.times_of_day import TimeOfDay
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
)
from faregate.tax.rates import Tie, VatRate
from support.oracles.bundles import bundled

MILLION = 10**6

# ---------------------------------------------------------------- §1.3, §2


def half_up(value: Fraction) -> int:
    """Round *value*, not negative, to the nearest integer, halves up."""
    return floor(value + Fraction(1, 2))


def largest_remainder(exact: list[Fraction], target: int) -> list[int]:
    """Round down, then raise by one the value furthest below its exact one, the first of equals."""
    shares = [floor(value) for value in exact]
    while sum(shares) < target:
        gaps = [value - share for value, share in zip(exact, shares, strict=True)]
        shares[gaps.index(max(gaps))] += 1
    return shares


def hamilton(amount: int, weights: list[int]) -> list[int]:
    if not amount:
        return [0] * len(weights)
    return largest_remainder([Fraction(amount * weight, sum(weights)) for weight in weights], amount)


def hamilton_capped(amount: int, weights: list[int], caps: list[int]) -> tuple[list[int], int]:
    """Allocate; fix the shares that exceed their caps; allocate the rest to the others."""
    if not any(weights):
        return [0] * len(weights), amount
    shares = hamilton(amount, weights)
    over = {index for index, share in enumerate(shares) if share > caps[index]}
    if not over:
        return shares, 0
    frozen = [caps[index] if index in over else 0 for index in range(len(caps))]
    others = [0 if index in over else weight for index, weight in enumerate(weights)]
    shares, unapplied = hamilton_capped(amount - sum(frozen), others, caps)
    return [cap + share for cap, share in zip(frozen, shares, strict=True)], unapplied


# ---------------------------------------------------------------- §3.4, §3.6: amounts of a discount


class Taking(NamedTuple):
    """The amount that a discount takes from each line, and the amount that floor prices prevent."""

    shares: list[int]
    unapplied: int = 0


class Prices(NamedTuple):
    """Per line: the base of the discount, and the amount that may still be taken."""

    base: list[int]
    room: list[int]


def percent_of(price: int, parts: int, policy: TotalsPolicy) -> int:
    if policy.percent_rounding is PercentRounding.PRICE:
        return price - half_up(Fraction(price * (MILLION - parts), MILLION))
    return half_up(Fraction(price * parts, MILLION))


def limited(amount: int, limit: int | None) -> int:
    return amount if limit is None else min(amount, limit)


def lines_in_scope(lines: list[Line], scope: Scope, context: Context) -> list[int]:
    """Return the indices of the lines that meet every criterion."""
    return [index for index, line in enumerate(lines) if is_in_scope(line, scope, context)]


def lines_of(discount: AutomaticDiscount | PromoCode, lines: list[Line], context: Context) -> list[int]:
    """Return the indices of the lines that *discount* may change; for a bundle, those of its parts."""
    found = [n for n in lines_in_scope(lines, discount.scope, context) if lines[n].discountable]
    if isinstance(discount.kind, Bundle):
        parts = [lines_in_scope(lines, part.scope, context) for part in discount.kind.parts]
        return [n for n in found if any(n in part for part in parts)]
    return found


def local_time(instant: datetime, zone: tzinfo | str | None) -> datetime:
    """Return *instant* as clocks in *zone* show it, from seconds since 1970."""
    assert zone is not None
    return datetime.fromtimestamp(instant.timestamp(), ZoneInfo(zone) if isinstance(zone, str) else zone)


def local_day(instant: datetime, zone: tzinfo | str | None) -> date:
    return local_time(instant, zone).date()


def is_within(times: TimeOfDay, instant: datetime, zone: tzinfo | str | None) -> bool:
    """Return True if *times* include *instant*: minutes are counted from the start, around the clock."""
    start, end, shown = (
        each.hour * 60 + each.minute for each in (times.start, times.end, local_time(instant, zone))
    )
    return (shown - start) % 1440 < (end - start) % 1440


def is_in_scope(line: Line, scope: Scope, context: Context) -> bool:
    zone = line.zone or context.zone
    day = None if line.validity is None else local_day(line.validity.start, zone)
    lead = None if day is None or context.at is None else (day - local_day(context.at, context.zone)).days
    return all(
        [
            not scope.lines or line.key in scope.lines,
            not scope.products or line.product in scope.products,
            not scope.variants or line.variant in scope.variants,
            not scope.categories or line.category in scope.categories,
            not scope.attributes or bool(scope.attributes & line.attributes),
            not scope.discount_cards or line.discount_card in scope.discount_cards,
            not scope.weekdays or (day is not None and day.isoweekday() in scope.weekdays),
            scope.days is None or (day is not None and scope.days.start <= day < scope.days.end),
            scope.min_lead_days is None or (lead is not None and lead >= scope.min_lead_days),
            scope.max_lead_days is None or (lead is not None and lead <= scope.max_lead_days),
            line.product not in scope.excluded_products,
            line.variant not in scope.excluded_variants,
            line.category not in scope.excluded_categories,
        ]
    )


def taking(
    discount: AutomaticDiscount | PromoCode,
    lines: list[Line],
    prices: Prices,
    limit: int | None,
    context: Context,
    policy: TotalsPolicy,
) -> Taking:
    """Return the amounts that *discount* takes from *lines*, by ascending key, if its conditions hold."""
    kind = discount.kind
    scope = lines_of(discount, lines, context)
    most = discount.max_units if isinstance(discount, PromoCode) else None
    if isinstance(discount, PromoCode) and discount.max_units_per_line is not None:
        lines, prices = _few_of_each_line(discount.max_units_per_line, lines, prices, policy)
    match kind:
        case Bundle():
            return _bundle_taking(kind, scope, lines, prices, limit, context, policy, most)
        case BuyXGetY() | FixedPrice() if not isinstance(kind, FixedPrice) or kind.group_size > 1:
            return _group_taking(kind, scope, lines, prices, limit, context, policy, most)
    if most is not None:
        scope, lines, prices = _chosen_units(most, scope, lines, prices, policy)
    match kind:
        case Absolute(level=DiscountLevel.CART) | Percentage(level=DiscountLevel.CART):
            weights = [price if n in scope else 0 for n, price in enumerate(prices.base)]
            wanted = limited(_wanted(kind, sum(weights), 1, policy), limit)
            return Taking(*hamilton_capped(wanted, weights, prices.room))
        case _:
            wants = [
                _wanted(kind, prices.base[n], line.quantity, policy) if n in scope else 0
                for n, line in enumerate(lines)
            ]
            shares = list(map(min, wants, prices.room))
            if limit is not None and sum(shares) > limit:
                shares = hamilton(limit, shares)
            return Taking(shares, max(0, limited(sum(wants), limit) - sum(shares)))


def _few_of_each_line(
    most: int, lines: list[Line], prices: Prices, policy: TotalsPolicy
) -> tuple[list[Line], Prices]:
    """Return lines and prices of the first (for the merchant, the last) *most* units of each line."""
    own = slice(None, most) if policy.fairness is Fairness.CUSTOMER else slice(-most, None)

    def of_units(amounts: list[int]) -> list[int]:
        each = [hamilton(amount, [1] * line.quantity) for amount, line in zip(amounts, lines, strict=True)]
        return [sum(units[own]) for units in each]

    few = [line._replace(quantity=min(line.quantity, most)) for line in lines]
    return few, Prices(of_units(prices.base), of_units(prices.room))


def _chosen_units(
    most: int, scope: list[int], lines: list[Line], prices: Prices, policy: TotalsPolicy
) -> tuple[list[int], list[Line], Prices]:
    """Return scope, lines and prices of the *most* dearest or cheapest units with a price."""
    units = [unit for unit in units_of(scope, lines, prices.base) if unit.price]
    if policy.fairness is Fairness.MERCHANT:
        units.sort(key=lambda unit: (unit.price, unit.line))
    chosen = units[:most]
    counts = [sum(unit.line == n for unit in chosen) for n in range(len(lines))]
    base = [sum(unit.price for unit in chosen if unit.line == n) for n in range(len(lines))]
    room = [0] * len(lines)
    for n in {unit.line for unit in chosen}:
        shares = hamilton(prices.room[n], [1] * sum(unit.line == n for unit in units))
        if policy.fairness is Fairness.MERCHANT:
            shares.reverse()
        room[n] = sum(shares[: counts[n]])
    few = [line._replace(quantity=count) for line, count in zip(lines, counts, strict=True)]
    return [n for n in scope if counts[n]], few, Prices(base, room)


def _wanted(kind: DiscountKind, price: int, quantity: int, policy: TotalsPolicy) -> int:
    match kind:
        case Absolute(amount):
            return min(amount, price)
        case Percentage(parts_per_million=parts):
            return percent_of(price, parts, policy)
        case PerUnit(amount):
            return min(amount * quantity, price)
        case FixedPrice(unit_price):
            return max(0, price - unit_price * quantity)
        case BuyXGetY() | Bundle():
            raise AssertionError(kind)


class Unit(NamedTuple):
    """One unit of a line with its part of the line's price."""

    price: int
    line: int


def units_of(indices: list[int], lines: list[Line], prices: list[int]) -> list[Unit]:
    """Return all single units, dearest first, equals by ascending key."""
    units = [
        Unit(price, index)
        for index in indices
        for price in hamilton(prices[index], [1] * lines[index].quantity)
    ]
    return sorted(units, key=lambda unit: (-unit.price, unit.line))


def _group_taking(
    kind: BuyXGetY | FixedPrice,
    scope: list[int],
    lines: list[Line],
    prices: Prices,
    limit: int | None,
    context: Context,
    policy: TotalsPolicy,
    most: int | None,
) -> Taking:
    if isinstance(kind, FixedPrice):
        units = units_of(scope, lines, prices.base)
        groups = limited(len(units), most) // kind.group_size
        if policy.fairness is Fairness.CUSTOMER:
            bundles = [units[n * kind.group_size : (n + 1) * kind.group_size] for n in range(groups)]
            groups = sum(sum(unit.price for unit in bundle) > kind.price for bundle in bundles)
        chosen = _end(units, groups * kind.group_size, policy)
        wanted = max(0, sum(unit.price for unit in chosen) - kind.price * groups)
    else:
        groups = 10**9 if most is None else most // kind.get
        kind = replace(kind, at_most=min(groups, kind.at_most or groups) or None)
        chosen = rewarded(kind, scope, lines, prices.base, context, policy) if groups else []
        wanted = percent_of(sum(unit.price for unit in chosen), kind.parts_per_million, policy)
    return _shared_out(chosen, limited(wanted, limit), prices)


def _bundle_taking(
    kind: Bundle,
    scope: list[int],
    lines: list[Line],
    prices: Prices,
    limit: int | None,
    context: Context,
    policy: TotalsPolicy,
    most: int | None,
) -> Taking:
    units, for_customer = units_of(scope, lines, prices.base), policy.fairness is Fairness.CUSTOMER
    if not for_customer:
        units.reverse()
    parts = [lines_in_scope(lines, part.scope, context) for part in kind.parts]
    sizes = [part.units for part in kind.parts]
    steps: list[tuple[int, int, list[Unit]]] = []
    for place, own_lines in enumerate(lines_by_day(kind, scope, lines, context)):
        own = [unit for unit in units if unit.line in own_lines]
        allowed = [{n for n, part in enumerate(parts) if unit.line in part} for unit in own]
        least = kind.price if for_customer else None
        for more, found in bundled([unit.price for unit in own], allowed, sizes, least):
            steps.append((-more if for_customer else more, place, [own[n] for n in found]))
    steps = sorted(steps, key=lambda step: step[:2])
    steps = steps[: min(limited(len(units), most) // sum(sizes), kind.at_most or len(units))]
    chosen = [unit for units_of_day in {day: own for _, day, own in steps}.values() for unit in units_of_day]
    worth = sum(unit.price for unit in chosen)
    wanted = percent_of(worth, kind.parts_per_million or 0, policy)
    if kind.price is not None:
        wanted = max(0, worth - kind.price * len(steps))
    return _shared_out(chosen, limited(wanted, limit), prices)


def lines_by_day(kind: Bundle, scope: list[int], lines: list[Line], context: Context) -> list[list[int]]:
    """Return the indices of the lines of each visit day; all lines together if the day does not matter."""
    days: dict[date | None, list[int]] = {}
    for n in scope:
        validity = lines[n].validity if kind.same_day else None
        day = None if validity is None else local_day(validity.start, lines[n].zone or context.zone)
        days.setdefault(day, []).append(n)
    return list(days.values())


def _shared_out(chosen: list[Unit], wanted: int, prices: Prices) -> Taking:
    worth = [sum(unit.price for unit in chosen if unit.line == n) for n in range(len(prices.base))]
    return Taking(*hamilton_capped(wanted, worth, list(map(min, worth, prices.room))))


def _end(units: list[Unit], count: int, policy: TotalsPolicy) -> list[Unit]:
    return units[:count] if policy.fairness is Fairness.CUSTOMER else units[len(units) - count :]


def rewarded(
    kind: BuyXGetY,
    scope: list[int],
    lines: list[Line],
    prices: list[int],
    context: Context,
    policy: TotalsPolicy,
) -> list[Unit]:
    """Return the units that buy X get Y discounts."""
    most = kind.at_most if kind.at_most is not None else 10**9
    if kind.rewards is not None:
        rewards = [n for n in lines_in_scope(lines, kind.rewards, context) if lines[n].discountable]
        bought = sum(lines[n].quantity for n in scope if n not in rewards)
        units = units_of(rewards, lines, prices)
        return _end(units, min(len(units) // kind.get, bought // kind.buy, most) * kind.get, policy)
    units = units_of(scope, lines, prices)
    size = kind.buy + kind.get
    groups = min(len(units) // size, most)
    if policy.fairness is Fairness.MERCHANT:
        return units[len(units) - groups * kind.get :]
    return [unit for n in range(groups) for unit in units[n * size + kind.buy : (n + 1) * size]]


# ---------------------------------------------------------------- §4


def exact_net(gross: int, rate: VatRate) -> Fraction:
    return Fraction(gross * MILLION, MILLION + rate.parts_per_million)


def exact_gross(net: int, rate: VatRate) -> Fraction:
    return Fraction(net * (MILLION + rate.parts_per_million), MILLION)


def net_of(gross: int, rate: VatRate, tie: Tie) -> int:
    """Return one side rounded half up and the other by subtraction."""
    if tie is Tie.NET:
        return half_up(exact_net(gross, rate))
    return gross - half_up(gross - exact_net(gross, rate))


def gross_of(net: int, rate: VatRate) -> int:
    return net + half_up(exact_gross(net, rate) - net)


def given_back(values: list[int], rate: VatRate, policy: TotalsPolicy) -> list[int]:
    """Return the other side of lines of one rate: rounded down, with the largest remainders rounded up."""
    if policy.price_basis is PriceBasis.NET:
        return largest_remainder([exact_gross(value, rate) for value in values], gross_of(sum(values), rate))
    return largest_remainder(
        [exact_net(value, rate) for value in values], net_of(sum(values), rate, policy.tie)
    )
