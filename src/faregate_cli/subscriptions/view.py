"""Renewals for the terminal: a summary with the rule, dates and payments, then a table of the periods."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import assert_never

from rich.console import Console

from faregate.dates.instants import DateRange
from faregate.render.wording import MONTHS, day_label
from faregate.subscriptions.rules import EveryDays, Monthly, MonthlyOn, RenewalRule, Yearly, YearlyOn
from faregate.subscriptions.terms import SubscriptionConfiguration
from faregate_cli.subscriptions.periods import Period, Renewals
from faregate_cli.terminal.console import STRONG, Trimmed, packed, print_facts, separator, sheet

_DAY = timedelta(days=1)
_MIN_TABLE_WIDTH = 67
"""Width of the widest possible table: 1000 periods of 100 years each, at a UTC offset with seconds."""


def show(console: Console, renewals: Renewals) -> None:
    """Print a summary and every period, in a table or, on a narrow terminal, in words."""
    ordered = f"ordered on {day_label(renewals.ordered_at.date())}"
    title = [rule_label(renewals.rule), ordered, renewals.zone.key]
    print_facts(console, title, style=STRONG)
    for parts in _summary(renewals):
        print_facts(console, parts)
    console.print()
    if console.width < _MIN_TABLE_WIDTH:
        for period in renewals.periods:
            facts = packed(_facts(period), separator(console), width=console.width)
            console.print(facts, soft_wrap=True)
    else:
        _print_table(console, renewals)


def rule_label(rule: RenewalRule) -> str:
    """Return *rule* in words.

    >>> rule_label(EveryDays(30)), rule_label(MonthlyOn(31)), rule_label(YearlyOn(11, 1))
    ('Every 30 days', 'Every month on the 31st', 'Every year on 1 November')
    """
    match rule:
        case EveryDays(days):
            return "Every day" if days == 1 else f"Every {days} days"
        case Monthly():
            return "Every month"
        case Yearly():
            return "Every year"
        case MonthlyOn(day):
            return f"Every month on the {_ordinal(day)}"
        case YearlyOn(month, day):
            return f"Every year on {day} {MONTHS[month - 1]}"
        case _ as unreachable:
            assert_never(unreachable)


def _ordinal(day: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
    return f"{day}{endings.get(day, 'th')}"


def _summary(renewals: Renewals) -> Iterator[list[str]]:
    subscription = renewals.subscription
    if subscription is None:
        yield [f"dates only, with --month-end {renewals.month_end.value}", "a subscription is always clamped"]
        return
    yield terms_labels(subscription.configuration)
    if subscription.has_stub:
        days = _days_label(subscription.configuration.first)
        yield [f"first period of {days}, {subscription.first_share} of a whole one"]
    if subscription.price and subscription.first_payment:
        yield [f"first payment {subscription.first_payment}", f"each later one {subscription.price}"]


def terms_labels(configuration: SubscriptionConfiguration) -> list[str]:
    """Return labelled dates of a subscription: its start, next billing and earliest end."""
    periods = configuration.minimal_run_periods
    after = f" after {periods} period{'' if periods == 1 else 's'}" if periods else ""
    return [
        f"starts on {day_label(configuration.starts_on.date())}",
        f"next billing on {day_label(configuration.next_billing_date.date())}",
        f"earliest end on {day_label(configuration.earliest_end)}{after}",
    ]


def _print_table(console: Console, renewals: Renewals) -> None:
    table = sheet(console, "", "From", "To", "Days", "Starts at", is_full_width=False)
    width = len(str(renewals.periods[-1].number))
    for period in renewals.periods:
        table.add_row(
            f"{period.number:{width}}",
            day_label(period.days.start),
            day_label(period.days.end - _DAY),
            str(period.days.days),
            period.starts_on.isoformat(),
        )
    console.print(Trimmed(table))


def _facts(period: Period) -> list[str]:
    first, last = day_label(period.days.start), day_label(period.days.end - _DAY)
    return [f"{period.number}: {first} to {last}", _days_label(period.days), period.starts_on.isoformat()]


def _days_label(span: DateRange) -> str:
    return f"{span.days} day{'' if span.days == 1 else 's'}"
