"""Renewals as JSON, with the specification's field names and exact numbers. Decisions §7."""

from datetime import timedelta

from faregate.dates.instants import DateRange
from faregate.subscriptions.terms import SubscriptionConfiguration
from faregate_cli.subscriptions.periods import Period, Renewals, Subscription
from faregate_cli.terminal.json_text import Json, json_fields, major_units

_DAY = timedelta(days=1)


def to_json(renewals: Renewals) -> dict[str, Json]:
    """Return *renewals* as JSON; ``from`` and ``to`` are inclusive dates, amounts are ``Decimal``.

    The fields of the subscription are null if only dates are known.
    """
    subscription = renewals.subscription
    configuration = subscription and subscription.configuration
    return {
        "rule": str(renewals.rule),
        "orderedAt": renewals.ordered_at.isoformat(),
        "timezone": renewals.zone.key,
        "monthEnd": renewals.month_end.value,
        "subscriptionConfiguration": configuration_json(configuration) if configuration else None,
        "firstPeriod": subscription and _first_period(subscription),
        "earliestEnd": configuration.earliest_end.isoformat() if configuration else None,
        "payments": subscription and _payments(subscription),
        "periods": [_period(period) for period in renewals.periods],
    }


def configuration_json(configuration: SubscriptionConfiguration) -> Json:
    """Return *configuration* as JSON in the form that the specification defines."""
    names = ("starts_on", "next_billing_date", "has_pickup", "start_configuration", "minimal_run_periods")
    return json_fields(configuration, *names, "renewal")


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
    first_amount, later_amount = (major_units(payment.amount, payment.currency) for payment in (first, later))
    return {"currency": later.currency.code, "first": first_amount, "later": later_amount}


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
