"""The discounts and codes of a catalogue: when they can apply, and the baskets that they ask for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import TypeAlias

from faregate.audit.shops import DAY, HORIZON, Shop
from faregate.checkout.model import CheckoutItem
from faregate.checkout.priced import PricedCheckout
from faregate.dates.instants import in_utc
from faregate.dates.zones import local_date
from faregate.discounts.kinds import (
    EVERYTHING,
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    FixedPrice,
    PromoCode,
    Scope,
)
from faregate.money.amounts import MinorUnits

Rule: TypeAlias = AutomaticDiscount | PromoCode

MAX_UNITS = 40
"""Maximum number of units of a basket."""

_WEEK = range(7)


def name_of(rule: Rule) -> str:
    """Return the name of *rule* in the identifiers of findings."""
    return f"code-{rule.code}" if isinstance(rule, PromoCode) else f"discount-{rule.id}"


def is_due(rule: Rule, at: datetime) -> bool:
    """Return True if an audit at *at* examines *rule*.

    A rule that has ended or is used up is history, a rule that starts after the horizon is not yet due, and
    a rule for customer groups depends on what another system knows.
    """
    conditions, days = rule.conditions, rule.scope.days
    ended = conditions.ends_at is not None and in_utc(conditions.ends_at) <= in_utc(at)
    future = conditions.starts_at is not None and in_utc(conditions.starts_at) > in_utc(at) + HORIZON[-1]
    past_days = days is not None and days.end <= at.date()
    future_days = days is not None and days.start > at.date() + HORIZON[-1]
    used_up = isinstance(rule, PromoCode) and rule.is_used_up
    return not (ended or future or past_days or future_days or used_up or conditions.customer_groups)


def instants(rule: Rule, at: datetime, zone: str | None) -> list[datetime]:
    """Return the instants within a week from *at*, or from the rule's start, at which *rule* is valid."""
    conditions = rule.conditions
    first = at if conditions.starts_at is None else max(at, conditions.starts_at, key=in_utc)
    found = [first.astimezone(at.tzinfo) + n * DAY for n in _WEEK]
    return [
        instant
        for instant in found
        if (conditions.ends_at is None or in_utc(instant) < in_utc(conditions.ends_at))
        and (not conditions.weekdays or _weekday(instant, zone) in conditions.weekdays)
    ]


def _weekday(instant: datetime, zone: str | None) -> int:
    return (instant if zone is None else local_date(instant, zone)).isoweekday()


def is_applied(rule: Rule, basket: PricedCheckout) -> bool:
    """Return True if *rule* makes *basket* cheaper."""
    if isinstance(rule, PromoCode):
        return any(each.valid and each.code == rule.code for each in basket.totals.promo_codes)
    return any(each.discount.id == rule.id and each.total_amount for each in basket.totals.auto_discounts)


def draw_basket(rule: Rule | None, shop: Shop) -> list[CheckoutItem]:
    """Return a random basket to which *rule* may apply; empty if a part of it is not for sale."""
    times = shop.one_of((1, 1, 2))
    parts = [*_parts_of(rule)] if rule else [(EVERYTHING, shop.one_of(range(1, 13)), 0)]
    if shop.one_of(range(4)) == 0:
        parts.append((EVERYTHING, 1, 0))
    groups, day = [], None
    for scope, units, spend in parts:
        group = _group(shop, scope, units, spend, day)
        if not group:
            return []
        groups.append(group * times)
        validity = group[0].validity
        day = validity.first_day if validity else day
    start = shop.one_of(range(len(groups)))
    return [item for group in (*groups[start:], *groups[:start]) for item in group][:MAX_UNITS]


def _group(shop: Shop, scope: Scope, units: int, spend: MinorUnits, day: date | None) -> list[CheckoutItem]:
    item = shop.draw_ticket(scope, day)
    if item is None or item.quote is None:
        return []
    price = item.quote.list_price
    if spend and price:
        units = max(units, -(-spend // price) + shop.one_of((0, 1)))
    return [item] * min(units, MAX_UNITS)


def _parts_of(rule: Rule) -> Iterator[tuple[Scope, int, MinorUnits]]:
    """Yield a scope, a number of units and an amount for each group of units that *rule* asks for."""
    for threshold in rule.conditions.thresholds:
        yield threshold.counting, max(threshold.quantity, 1), threshold.spend
    match rule.kind:
        case Bundle(parts=parts):
            for part in parts:
                yield part.scope, part.units, 0
        case BuyXGetY(buy=buy, get=get, rewards=None):
            yield rule.scope, buy + get, 0
        case BuyXGetY(buy=buy, get=get, rewards=Scope() as rewards):
            yield rule.scope, buy, 0
            yield rewards, get, 0
        case FixedPrice(group_size=size):
            yield rule.scope, size, 0
        case _:
            yield rule.scope, 1, 0
