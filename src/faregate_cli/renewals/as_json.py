"""Renewals as JSON, with the specification's names and exact numbers. Decisions §7."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faregate.dates.instants import DateRange
    from faregate.money.amounts import Money
    from faregate.subscriptions.schedule import Renewal, SubscriptionConfiguration
    from faregate_cli.json_text import Json
    from faregate_cli.renewals.periods import Period, Renewals, Subscription

__all__ = ["configuration_json", "renewals_json"]

_DAY = timedelta(days=1)


def renewals_json(renewals: Renewals) -> dict[str, Json]:
    """Everything about *renewals*; ``from`` and ``to`` are dates, both included, an amount is a ``Decimal``.

    What goes with a subscription is null where there are dates only.
    """
    subscription = renewals.subscription
    configuration = subscription and subscription.configuration
    return {
        "rule": str(renewals.rule),
        "orderedAt": renewals.ordered_at.isoformat(),
        "timezone": renewals.zone.key,
        "monthEnd": renewals.month_end.value,
        "subscriptionConfiguration": configuration and configuration_json(configuration),
        "firstPeriod": subscription and _first_period(subscription),
        "earliestEnd": configuration and configuration.earliest_end.isoformat(),
        "payments": subscription and _payments(subscription),
        "periods": [_period(period) for period in renewals.periods],
    }


def configuration_json(configuration: SubscriptionConfiguration) -> Json:
    """A subscription as the interface writes it."""
    return {
        "startsOn": configuration.starts_on.isoformat(),
        "nextBillingDate": configuration.next_billing_date.isoformat(),
        "hasPickup": configuration.has_pickup,
        "startConfiguration": configuration.start_configuration.value,
        "minimalRunPeriods": configuration.minimal_run_periods,
        "renewal": _renewal(configuration.renewal),
    }


def _renewal(renewal: Renewal) -> Json:
    return {
        "period": renewal.period.value,
        "day": renewal.day,
        "month": renewal.month,
        "daysAmount": renewal.days_amount,
    }


def _first_period(subscription: Subscription) -> Json:
    configuration = subscription.configuration
    return {
        "mode": configuration.first_period.value,
        **_days(configuration.first),
        "dayCount": subscription.day_count.value,
        "share": str(subscription.first_share),
    }


def _payments(subscription: Subscription) -> Json:
    first, later = subscription.first_payment, subscription.price
    if first is None or later is None:
        return None
    return {"currency": later.currency.code, "first": _amount(first), "later": _amount(later)}


def _amount(money: Money) -> Decimal:
    return Decimal(money.amount).scaleb(-money.currency.exponent)


def _period(period: Period) -> Json:
    return {
        "number": period.number,
        **_days(period.days),
        "startsOn": period.starts_on.isoformat(),
        "nextBillingDate": period.ends_on.isoformat(),
    }


def _days(span: DateRange) -> dict[str, Json]:
    return {
        "from": span.start.isoformat(),
        "to": (span.end - _DAY).isoformat(),
        "days": span.days,
    }
