"""Whether a discount applies: which lines it covers and, where it does not, why not. Decisions §3.5, §3.7."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from faregate.dates import in_utc
from faregate.discounts import ALWAYS, EVERYTHING, Conditions, Scope, Threshold
from faregate.errors import ContextRequired

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from faregate.lines import Cart, Line
    from faregate.money import MinorUnits

__all__ = ["Context", "Missing", "Reason", "Refusal", "below_minimum", "not_now", "selected"]


class Context(NamedTuple):
    """What conditions look at. ``at`` is the instant of the order, aware, in the merchant's zone."""

    at: datetime | None = None
    channel: str | None = None
    account: int | None = None


class Reason(Enum):
    """Why a code is not valid now."""

    UNKNOWN = "UNKNOWN"
    WRONG_CHANNEL = "WRONG_CHANNEL"
    WRONG_ACCOUNT = "WRONG_ACCOUNT"
    NOT_YET_VALID = "NOT_YET_VALID"
    EXPIRED = "EXPIRED"
    WRONG_DAY = "WRONG_DAY"
    USED_UP = "USED_UP"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """No line is in scope, or nothing is left to take from those that are."""
    MINIMUM_NOT_REACHED = "MINIMUM_NOT_REACHED"
    NOT_COMBINABLE = "NOT_COMBINABLE"


class Missing(NamedTuple):
    """How far a code is from valid: money to spend, units to add, or the instant to wait for."""

    spend: MinorUnits = 0
    quantity: int = 0
    until: datetime | None = None


class Refusal(NamedTuple):
    """Why a discount does not apply and, where it can be said, what is missing."""

    reason: Reason
    missing: Missing | None = None


def selected(scope: Scope, cart: Cart, among: Sequence[int], context: Context) -> Sequence[int]:
    """The indices of *among* whose lines meet every criterion of *scope*.

    Raises:
        ContextRequired: the scope counts lead days and the context has no instant.
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
    if scope.weekdays or scope.days or scope.min_lead_days is not None or scope.max_lead_days is not None:
        starts = _first_day_test(scope, context)
        among = [index for index in among if starts(lines[index])]
    return among


def _first_day_test(scope: Scope, context: Context) -> Callable[[Line], bool]:
    """Whether the day on which a line's validity starts meets *scope*; a line without one does not."""
    weekdays, days = scope.weekdays, scope.days
    least, most = scope.min_lead_days, scope.max_lead_days
    if context.at is None and (least is not None or most is not None):
        raise ContextRequired(rule="a scope with lead days", needs="the instant")
    if context.at is not None:
        in_utc(context.at)  # refuses an instant without offset
    ordered = None if context.at is None else context.at.date()

    def test(line: Line) -> bool:
        if line.validity is None:
            return False
        day = line.validity.first_day
        lead = 0 if ordered is None else (day - ordered).days
        return (
            (not weekdays or day.isoweekday() in weekdays)
            and (days is None or days.start <= day < days.end)
            and (least is None or lead >= least)
            and (most is None or lead <= most)
        )

    return test


def not_now(conditions: Conditions, context: Context) -> Refusal | None:
    """Why *conditions* keep a discount from this channel, account or instant; None where they do not.

    Raises:
        ContextRequired: they depend on something that the context does not say.
    """
    if conditions is ALWAYS:
        return None
    return _wrong_party(conditions, context) or _wrong_time(conditions, context)


def _wrong_party(conditions: Conditions, context: Context) -> Refusal | None:
    if conditions.channels:
        if context.channel is None:
            raise ContextRequired(rule="a discount limited to channels", needs="the channel")
        if context.channel not in conditions.channels:
            return Refusal(Reason.WRONG_CHANNEL)
    if conditions.accounts and context.account not in conditions.accounts:
        return Refusal(Reason.WRONG_ACCOUNT)
    return None


def _wrong_time(conditions: Conditions, context: Context) -> Refusal | None:
    starts, ends, weekdays = conditions.starts_at, conditions.ends_at, conditions.weekdays
    if starts is None and ends is None and not weekdays:
        return None
    if context.at is None:
        raise ContextRequired(rule="a discount limited in time", needs="the instant")
    instant = in_utc(context.at)
    if starts is not None and instant < starts:
        return Refusal(Reason.NOT_YET_VALID, Missing(until=starts))
    if ends is not None and instant >= ends:
        return Refusal(Reason.EXPIRED)
    if weekdays and context.at.isoweekday() not in weekdays:
        return Refusal(Reason.WRONG_DAY)
    return None


def below_minimum(
    thresholds: Sequence[Threshold], cart: Cart, prices: Sequence[MinorUnits], context: Context
) -> Refusal | None:
    """Which minimum is not reached by a cart whose lines count with *prices*; None where all are."""
    for threshold in thresholds:
        counting = selected(threshold.counting, cart, cart.counted, context)
        spend = threshold.spend - sum_at(prices, counting) if threshold.spend else 0
        quantity = threshold.quantity - sum_at(cart.quantities, counting) if threshold.quantity else 0
        if spend > 0 or quantity > 0:
            return Refusal(Reason.MINIMUM_NOT_REACHED, Missing(max(0, spend), max(0, quantity)))
    return None


def sum_at(amounts: Sequence[int], indices: Sequence[int]) -> int:
    """The sum of *amounts* at *indices*, which are ascending and distinct."""
    if len(indices) == len(amounts):
        return sum(amounts)
    return sum([amounts[index] for index in indices])
