"""Eligibility of many baskets for a discount: lines in scope and reasons for rejection. Decisions §3.5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.batch.basket.carts import CartColumns
from faregate.batch.basket.contexts import ContextColumns, instant
from faregate.batch.basket.lines import NONE
from faregate.batch.basket.terms import Terms
from faregate.batch.columns.values import FIRST_DAY, Mask, Numbers
from faregate.discounts.eligibility import NAME_THE_ZONE, RejectionReason, scopes_of
from faregate.discounts.kinds import (
    EVERYTHING,
    AutomaticDiscount,
    Bundle,
    Conditions,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.errors import ContextRequired

Reasons: TypeAlias = npt.NDArray[np.int8]
"""``VALID`` or an index into ``REASONS``, for each basket or for each entered code."""

VALID = -1
"""Reason code of a discount that applies."""
REASONS: tuple[RejectionReason, ...] = tuple(RejectionReason)
"""Rejection reasons by reason code."""


def code_of(reason: RejectionReason) -> int:
    """Return the index of *reason* in ``REASONS``.

    >>> REASONS[code_of(RejectionReason.USED_UP)].value
    'USED_UP'
    """
    return REASONS.index(reason)


# ---------------------------------------------------------------- lines


def selected(scope: Scope, cart: CartColumns, among: Mask | None) -> Mask | None:
    """Return a mask of the lines in *among* that meet all criteria of *scope*; None stands for all lines.

    Raises:
        ContextRequired: the scope counts lead days and the context has no instant.
    """
    if scope is EVERYTHING:
        return among
    masks = [] if among is None else [among]
    masks += _by_id(scope, cart)
    if scope.attributes:
        had = [mask for attribute, mask in cart.columns.attributes.items() if attribute in scope.attributes]
        masks.append(np.logical_or.reduce(had) if had else _none(cart))
    masks += _by_first_day(scope, cart)
    return np.logical_and.reduce(masks) if masks else None


def _by_id(scope: Scope, cart: CartColumns) -> Iterable[Mask]:
    columns = cart.columns
    keys = cart.layout.line_index if columns.key is None else columns.key
    for wanted, column in (
        (scope.lines, keys),
        (scope.products, columns.product),
        (scope.variants, columns.variant),
        (scope.categories, columns.category),
        (scope.discount_cards, columns.discount_card),
    ):
        if wanted:
            yield _none(cart) if column is None else _is_in(column, wanted)
    for unwanted, column in (
        (scope.excluded_products, columns.product),
        (scope.excluded_variants, columns.variant),
        (scope.excluded_categories, columns.category),
    ):
        if unwanted and column is not None:
            yield ~_is_in(column, unwanted)


def _is_in(column: Numbers, wanted: frozenset[int]) -> Mask:
    values = [value for value in wanted if NONE < value < -NONE]
    if len(values) == 1:
        is_it: Mask = column == values[0]
        return is_it
    return np.isin(column, np.array(values, np.int64))


def _none(cart: CartColumns) -> Mask:
    return np.zeros(cart.layout.shape, np.bool_)


def _by_first_day(scope: Scope, cart: CartColumns) -> Iterable[Mask]:
    """Yield a mask of lines for each criterion on the first day of validity; a missing day meets none."""
    least, most, counts_lead = scope.min_lead_days, scope.max_lead_days, counts_lead_days(scope)
    if not (scope.weekdays or scope.days or counts_lead):
        return
    if counts_lead and cart.context.at is None:
        raise ContextRequired(rule="a scope with lead days", needs="the instant")
    if cart.columns.first_day is None:
        yield _none(cart)
        return
    days = cart.columns.first_day.view(np.int64)
    yield days >= FIRST_DAY
    if scope.weekdays:
        yield _falls_on(days, scope.weekdays)
    if scope.days:
        first, last = np.array([scope.days.start, scope.days.end], "datetime64[D]").view(np.int64)
        yield (days >= first) & (days < last)
    if counts_lead:
        lead = days - _ordered_on(cart)
        if least is not None:
            yield lead >= least
        if most is not None:
            yield lead <= most


def _falls_on(days: Numbers, weekdays: frozenset[int]) -> Mask:
    """Return a mask of the *days* that fall on *weekdays*; 1970-01-01 was a Thursday."""
    return np.isin((days + 3) % 7 + 1, list(weekdays))


def require_local_days(context: ContextColumns, rules: Terms) -> None:
    """Check that the instants in *context* have local dates if a rule depends on local dates.

    Columns have no local times, so a rule with a time of day is refused.
    """
    for rule in (*rules.automatic, *rules.promo_codes):
        if not isinstance(rule, UnknownCode) and rule.conditions.time_of_day is not None:
            remedy = "columns have none, so price these baskets with faregate.checkout_totals"
            raise ContextRequired(rule="a discount by time of day", needs="local times", remedy=remedy)
    if context.at is None or context.ordered_on is not None:
        return
    for rule in (*rules.automatic, *rules.promo_codes):
        if not isinstance(rule, UnknownCode) and _counts_local_days(rule):
            remedy = f"add ordered_on, or {NAME_THE_ZONE[4:]}"
            raise ContextRequired(
                rule="a discount by days", needs="the local date of the order", remedy=remedy
            )


def counts_first_days(rules: Terms) -> bool:
    """Return True if a rule depends on the first day of a line's validity."""
    known = [rule for rule in (*rules.automatic, *rules.promo_codes) if not isinstance(rule, UnknownCode)]
    return any(map(has_same_day, known)) or any(
        scope.weekdays or scope.days or counts_lead_days(scope) for rule in known for scope in scopes_of(rule)
    )


def has_same_day(rule: AutomaticDiscount | PromoCode) -> bool:
    """Return True if *rule* is a bundle whose units must be of the same day."""
    return isinstance(rule.kind, Bundle) and rule.kind.same_day


def _counts_local_days(rule: AutomaticDiscount | PromoCode) -> bool:
    return bool(rule.conditions.weekdays) or any(map(counts_lead_days, scopes_of(rule)))


def counts_lead_days(scope: Scope) -> bool:
    """Return True if *scope* limits the number of days from the order to the first day of validity."""
    return scope.min_lead_days is not None or scope.max_lead_days is not None


def _ordered_on(cart: CartColumns) -> Numbers:
    """Return, for each line, the day of the order as a number of days since 1970-01-01."""
    days = _local_days(cart)
    return cart.layout.of_lines(days) if days.ndim else days


def _local_days(cart: CartColumns) -> Numbers:
    return np.asarray(cart.context.ordered_on).view(np.int64)


# ---------------------------------------------------------------- baskets


def not_now(conditions: Conditions, cart: CartColumns, eligible: Mask, reasons: Reasons) -> Mask:
    """Return a mask of *eligible* baskets that meet *conditions*; write *reasons* for the others."""
    context = cart.context
    if conditions.channels and eligible.any():
        if context.channel is None:
            raise ContextRequired(rule="a discount limited to channels", needs="the channel")
        is_sold = np.isin(np.asarray(context.channel), sorted(conditions.channels))
        eligible = _narrowed(eligible, is_sold, RejectionReason.WRONG_CHANNEL, reasons)
    if conditions.accounts:
        account = NONE if context.account is None else context.account
        is_theirs = _is_in(np.asarray(account), conditions.accounts)
        eligible = _narrowed(eligible, is_theirs, RejectionReason.WRONG_ACCOUNT, reasons)
    if conditions.customer_groups:
        groups = context.customer_groups.items()
        own = [mask for group, mask in groups if group in conditions.customer_groups]
        is_member = reduce(np.logical_or, own, np.zeros((), np.bool_))
        eligible = _narrowed(eligible, is_member, RejectionReason.WRONG_GROUP, reasons)
    return _in_time(conditions, cart, eligible, reasons)


def _in_time(conditions: Conditions, cart: CartColumns, eligible: Mask, reasons: Reasons) -> Mask:
    starts, ends, weekdays = conditions.starts_at, conditions.ends_at, conditions.weekdays
    if (starts is None and ends is None and not weekdays) or not eligible.any():
        return eligible
    at = cart.context.at
    if at is None:
        raise ContextRequired(rule="a discount limited in time", needs="the instant")
    if starts is not None:
        eligible = _narrowed(eligible, at >= instant(starts), RejectionReason.NOT_YET_VALID, reasons)
    if ends is not None:
        eligible = _narrowed(eligible, at < instant(ends), RejectionReason.EXPIRED, reasons)
    if weekdays and eligible.any():
        eligible = _narrowed(
            eligible, _falls_on(_local_days(cart), weekdays), RejectionReason.WRONG_DAY, reasons
        )
    return eligible


def _narrowed(eligible: Mask, is_met: Mask, reason: RejectionReason, reasons: Reasons) -> Mask:
    reasons[eligible & ~is_met] = code_of(reason)
    still_eligible: Mask = eligible & is_met
    return still_eligible


def below_minimum(
    thresholds: Sequence[Threshold], cart: CartColumns, prices: Numbers, eligible: Mask, reasons: Reasons
) -> Mask:
    """Return a mask of the *eligible* baskets that reach every minimum when their lines cost *prices*."""
    for threshold in thresholds:
        if not eligible.any():
            break
        counting = selected(threshold.counting, cart, cart.columns.counted)
        for least, column in ((threshold.spend, prices), (threshold.quantity, cart.quantities)):
            if least:
                counted = column if counting is None else np.where(counting, column, 0)
                is_met = cart.layout.sums(counted) >= least
                eligible = _narrowed(eligible, is_met, RejectionReason.MINIMUM_NOT_REACHED, reasons)
    return eligible
