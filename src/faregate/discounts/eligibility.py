"""Eligibility of discounts: the lines covered, and the reasons for a refusal. Decisions §3.5, §3.7."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import Enum
from typing import NamedTuple

from faregate._values import public_value
from faregate.arguments.checks import require
from faregate.basket.lines import Cart, Line
from faregate.dates.instants import Interval, in_utc
from faregate.dates.zones import AnyZone, local_date, time_zone
from faregate.discounts.kinds import (
    ALWAYS,
    EVERYTHING,
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    Conditions,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.errors import ContextRequired, InvalidInput
from faregate.money.amounts import MinorUnits

NAME_THE_ZONE = "add Context(zone='Europe/Zurich')"
"""Advice in the error message if a rule needs a local date but the time zone is unknown."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The facts about an order against which the conditions of discounts are checked.

    ``at`` is the instant of the order, with any UTC offset. ``zone`` is the time zone of the order, a
    ``zoneinfo.ZoneInfo`` or its name: weekdays and lead days are determined by the dates in this zone.
    """

    at: datetime | None = None
    channel: str | None = None
    account: int | None = None
    zone: AnyZone | None = None
    customer_groups: frozenset[str] = frozenset()
    """Groups to which the customer belongs, such as ``"member"``."""


_TEXT = frozenset({str})
_CONTEXT = {
    "at": datetime | None,
    "channel": str | None,
    "account": int | None,
    "zone": str | tzinfo | None,
    "customer_groups": frozenset[str],
}


def check_context(context: Context) -> None:
    """Check the types of the fields of *context*.

    Raises:
        InvalidInput: a field has the wrong type; the message names the first such field.
        InvalidPeriod: the instant has no UTC offset.
    """
    if type(context) is not Context:
        raise InvalidInput(f"context is {context!r}, expected a Context")
    at, channel, account, zone = context.at, context.channel, context.account, context.zone
    groups = context.customer_groups
    if not (
        (type(groups) is frozenset and _TEXT.issuperset(map(type, groups)))
        and (at is None or type(at) is datetime)
        and (channel is None or type(channel) is str)
        and (account is None or type(account) is int)
        and (zone is None or isinstance(zone, (str, tzinfo)))
    ):
        for name, kind in _CONTEXT.items():
            require(kind, getattr(context, name), f"context.{name}", InvalidInput)
    if at is not None and at.tzinfo is None:
        in_utc(at)  # raises an error, because the UTC offset is missing
    if isinstance(zone, str):
        time_zone(zone)  # raises an error if the zone is unknown


class RejectionReason(Enum):
    """Reason why a promo code does not apply or a voucher cannot pay."""

    UNKNOWN = "UNKNOWN"
    WRONG_CHANNEL = "WRONG_CHANNEL"
    WRONG_ACCOUNT = "WRONG_ACCOUNT"
    WRONG_GROUP = "WRONG_GROUP"
    NOT_YET_VALID = "NOT_YET_VALID"
    EXPIRED = "EXPIRED"
    WRONG_DAY = "WRONG_DAY"
    WRONG_TIME = "WRONG_TIME"
    USED_UP = "USED_UP"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """No line is in scope, or nothing is left to take from the lines in scope."""
    MINIMUM_NOT_REACHED = "MINIMUM_NOT_REACHED"
    NOT_COMBINABLE = "NOT_COMBINABLE"


REASONS = {
    RejectionReason.UNKNOWN: "unknown code",
    RejectionReason.WRONG_CHANNEL: "not valid on this channel",
    RejectionReason.WRONG_ACCOUNT: "not valid for this account",
    RejectionReason.WRONG_GROUP: "not valid for this customer",
    RejectionReason.NOT_YET_VALID: "not valid yet",
    RejectionReason.EXPIRED: "expired",
    RejectionReason.WRONG_DAY: "not valid on this weekday",
    RejectionReason.WRONG_TIME: "not valid at this time of day",
    RejectionReason.USED_UP: "used up",
    RejectionReason.NOT_APPLICABLE: "applies to nothing in this order",
    RejectionReason.MINIMUM_NOT_REACHED: "minimum not reached",
    RejectionReason.NOT_COMBINABLE: "cannot be combined with the other code",
}
"""Text for each reason why a promo code does not apply or a voucher cannot pay."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class Shortfall:
    """The part of a condition that is not met yet: money to spend, units to add, or an instant to await."""

    spend: MinorUnits = 0
    quantity: int = 0
    until: datetime | None = None


class Refusal(NamedTuple):
    """Reason why a discount does not apply and, if known, what is missing."""

    reason: RejectionReason
    missing: Shortfall | None = None


def selected(scope: Scope, cart: Cart, among: Sequence[int], context: Context) -> Sequence[int]:
    """Return the indices in *among* whose lines meet every criterion of *scope*.

    Raises:
        ContextRequired: the scope counts lead days and the context has no instant, or the scope depends on
            the day of a line and neither the line nor the context has a zone.
    """
    if scope is EVERYTHING:
        return among
    lines = cart.lines
    if scope.lines:
        keys, wanted = cart.keys, scope.lines
        among = [index for index in among if keys[index] in wanted]
    if scope.products:
        among = [index for index in among if lines[index].product in scope.products]
    if scope.variants:
        among = [index for index in among if lines[index].variant in scope.variants]
    if scope.categories:
        among = [index for index in among if lines[index].category in scope.categories]
    if scope.attributes:
        among = [index for index in among if not scope.attributes.isdisjoint(lines[index].attributes)]
    if scope.discount_cards:
        among = [index for index in among if lines[index].discount_card in scope.discount_cards]
    if scope.excluded_products or scope.excluded_variants or scope.excluded_categories:
        among = [index for index in among if not _is_excluded(lines[index], scope)]
    if scope.weekdays or scope.days or scope.min_lead_days is not None or scope.max_lead_days is not None:
        starts = _first_day_test(scope, context)
        among = [index for index in among if starts(lines[index])]
    return among


def _is_excluded(line: Line, scope: Scope) -> bool:
    return (
        line.product in scope.excluded_products
        or line.variant in scope.excluded_variants
        or line.category in scope.excluded_categories
    )


def _first_day_test(scope: Scope, context: Context) -> Callable[[Line], bool]:
    """Return a test of a line's first day of validity, which a line without validity fails."""
    weekdays, days = scope.weekdays, scope.days
    least, most = scope.min_lead_days, scope.max_lead_days
    counts_lead = least is not None or most is not None
    rule = f"a scope with {'lead days' if counts_lead else 'weekdays' if weekdays else 'days'}"
    ordered = _ordered_on(context, rule) if counts_lead else None

    def is_met(validity: Interval, zone: AnyZone | None) -> bool:
        day = _date_in(context.zone if zone is None else zone, validity.start, rule)
        lead = 0 if ordered is None else (day - ordered).days
        return (
            (not weekdays or day.isoweekday() in weekdays)
            and (days is None or days.start <= day < days.end)
            and (least is None or lead >= least)
            and (most is None or lead <= most)
        )

    known: dict[tuple[int, int], bool] = {}  # by identity: lines usually share their validity

    def test(line: Line) -> bool:
        validity, zone = line.validity, line.zone
        if validity is None:
            return False
        found = known.get((id(validity), id(zone)))
        if found is None:
            found = known[id(validity), id(zone)] = is_met(validity, zone)
        return found

    return test


def _ordered_on(context: Context, rule: str) -> date:
    if context.at is None:
        raise ContextRequired(rule=rule, needs="the instant")
    return _date_in(context.zone, context.at, rule)


def first_day(line: Line, context: Context, rule: str) -> date | None:
    """Return the local date on which the validity of *line* starts; None for a line without validity.

    Raises:
        ContextRequired: neither the line nor the context has a zone; the message names the *rule*.
    """
    if line.validity is None:
        return None
    return _date_in(context.zone if line.zone is None else line.zone, line.validity.start, rule)


def _date_in(zone: AnyZone | None, instant: datetime, rule: str) -> date:
    if zone is None:
        raise ContextRequired(rule=rule, needs="the time zone", remedy=NAME_THE_ZONE)
    return local_date(instant, zone)


def scopes_of(rule: AutomaticDiscount | PromoCode) -> list[Scope]:
    """Return all scopes by which *rule* selects lines."""
    scopes = [rule.scope, *(threshold.counting for threshold in rule.conditions.thresholds)]
    if isinstance(rule.kind, BuyXGetY) and rule.kind.rewards is not None:
        scopes.append(rule.kind.rewards)
    if isinstance(rule.kind, Bundle):
        scopes += [part.scope for part in rule.kind.parts]
    return scopes


def not_now(conditions: Conditions, context: Context) -> Refusal | None:
    """Return a refusal if *conditions* exclude the channel, customer or instant of *context*, else None.

    Raises:
        ContextRequired: the conditions depend on something that the context does not provide.
    """
    if conditions is ALWAYS:
        return None
    return _wrong_party(conditions, context) or _wrong_time(conditions, context)


def _wrong_party(conditions: Conditions, context: Context) -> Refusal | None:
    if conditions.channels:
        if context.channel is None:
            raise ContextRequired(rule="a discount limited to channels", needs="the channel")
        if context.channel not in conditions.channels:
            return Refusal(RejectionReason.WRONG_CHANNEL)
    if conditions.accounts and context.account not in conditions.accounts:
        return Refusal(RejectionReason.WRONG_ACCOUNT)
    if conditions.customer_groups and conditions.customer_groups.isdisjoint(context.customer_groups):
        return Refusal(RejectionReason.WRONG_GROUP)
    return None


def _wrong_time(conditions: Conditions, context: Context) -> Refusal | None:
    starts, ends, weekdays = conditions.starts_at, conditions.ends_at, conditions.weekdays
    times = conditions.time_of_day
    if starts is None and ends is None and not weekdays and times is None:
        return None
    if context.at is None:
        raise ContextRequired(rule="a discount limited in time", needs="the instant")
    instant = in_utc(context.at)
    if starts is not None and instant < starts:
        return Refusal(RejectionReason.NOT_YET_VALID, Shortfall(until=starts))
    if ends is not None and instant >= ends:
        return Refusal(RejectionReason.EXPIRED)
    if weekdays and _ordered_on(context, "a discount limited to weekdays").isoweekday() not in weekdays:
        return Refusal(RejectionReason.WRONG_DAY)
    if times is not None:
        if context.zone is None:
            rule = "a discount limited to a time of day"
            raise ContextRequired(rule=rule, needs="the time zone", remedy=NAME_THE_ZONE)
        if not times.includes(instant, context.zone):
            return Refusal(RejectionReason.WRONG_TIME)
    return None


def below_minimum(
    thresholds: Sequence[Threshold], cart: Cart, prices: Sequence[MinorUnits], context: Context
) -> Refusal | None:
    """Return a refusal for the first minimum that the lines, at these *prices*, do not reach; else None."""
    for threshold in thresholds:
        counting = selected(threshold.counting, cart, cart.counted, context)
        spend = threshold.spend - sum_at(prices, counting) if threshold.spend else 0
        quantity = threshold.quantity - sum_at(cart.quantities, counting) if threshold.quantity else 0
        if spend > 0 or quantity > 0:
            return Refusal(
                RejectionReason.MINIMUM_NOT_REACHED, Shortfall(spend=max(0, spend), quantity=max(0, quantity))
            )
    return None


def sum_at(amounts: Sequence[int], indices: Sequence[int]) -> int:
    """Return the sum of the *amounts* at *indices*, which must be ascending and distinct."""
    if len(indices) == len(amounts):
        return sum(amounts)
    return sum([amounts[index] for index in indices])
