"""Arguments of ``faregate renewals``, read with all faults reported together."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from typing import NamedTuple, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from faregate.arguments.suggestions import did_you_mean
from faregate.dates.instants import YEARS, parse_instant
from faregate.dates.months import MonthEnd
from faregate.errors import InvalidInput, InvalidPeriod
from faregate.files.text.issues import shown
from faregate.money.amounts import Money
from faregate.money.currency import Currency
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.rules import RenewalRule, Yearly, parse_sold_rule
from faregate.subscriptions.schedule import renewal_dates
from faregate.subscriptions.terms import FirstPeriod, subscription_configuration
from faregate_cli.subscriptions.periods import Renewals, Subscription, periods_between
from faregate_cli.terminal.amounts import read_currency, read_price
from faregate_cli.terminal.arguments import ArgumentReader

_ZONE = ZoneInfo("Europe/Zurich")

_Mode = TypeVar("_Mode", bound=Enum)


class RenewalArguments(NamedTuple):
    """The arguments of ``faregate renewals`` as typed; defaults are filled in when they are read."""

    rule: str
    ordered: str | None = None
    zone: str | None = None
    periods: int = 12
    month_end: str | None = None
    first_period: str | None = None
    minimal_run_periods: int = 0
    day_count: str | None = None
    price: str | None = None
    currency: str | None = None


class _RenewalQuery(NamedTuple):
    rule: RenewalRule
    ordered_at: datetime
    zone: ZoneInfo
    month_end: MonthEnd
    first_period: FirstPeriod
    day_count: DayCount
    price: Money | None


def read_renewals(arguments: RenewalArguments) -> Renewals:
    """Return the renewals for *arguments*; by default, for an order placed now in the demo's time zone.

    Raises:
        InvalidInput: lists every fault of the arguments.
    """
    query = _read(arguments)
    or_else = ", or choose another --month-end" if query.month_end is MonthEnd.REJECT else ""
    with _advice("--count", f"ask for fewer periods{or_else}"):
        boundaries = renewal_dates(
            query.rule, anchor=query.ordered_at.date(), count=arguments.periods + 1, month_end=query.month_end
        )
    return Renewals(
        rule=query.rule,
        ordered_at=query.ordered_at,
        zone=query.zone,
        month_end=query.month_end,
        whole_periods=periods_between(boundaries, query.zone),
        subscription=_subscription(arguments, query) if query.month_end is MonthEnd.CLAMP else None,
    )


def _subscription(arguments: RenewalArguments, query: _RenewalQuery) -> Subscription:
    with _advice("--minimal-run-periods", "ask for fewer"):
        configuration = subscription_configuration(
            query.rule,
            ordered_at=query.ordered_at,
            zone=query.zone,
            minimal_run_periods=arguments.minimal_run_periods,
            first_period=query.first_period,
        )
    return Subscription(configuration, query.day_count, query.price)


@contextmanager
def _advice(option: str, advice: str) -> Iterator[None]:
    """Convert InvalidPeriod raised in the block to InvalidInput that names *option* and gives *advice*."""
    try:
        yield
    except InvalidPeriod as error:
        raise InvalidInput(f"{option}: {error}: {advice}") from None


def _read(arguments: RenewalArguments) -> _RenewalQuery:
    reader = ArgumentReader()
    zone = reader.read("--zone", _zone, arguments.zone, _ZONE)
    ordered_at = reader.read("--ordered", partial(_instant, zone), arguments.ordered, datetime.now(UTC))
    query = _RenewalQuery(
        rule=reader.read("--rule", parse_sold_rule, arguments.rule, Yearly()),
        ordered_at=ordered_at.astimezone(zone),
        zone=zone,
        month_end=reader.read("--month-end", partial(_mode, MonthEnd), arguments.month_end, MonthEnd.CLAMP),
        first_period=reader.read(
            "--first-period", partial(_mode, FirstPeriod), arguments.first_period, FirstPeriod.WAIT
        ),
        day_count=reader.read("--day-count", partial(_mode, DayCount), arguments.day_count, DayCount.ACTUAL),
        price=_price(reader, arguments),
    )
    _check_goes_together(reader, arguments, month_end=query.month_end)
    reader.check()
    return query


def _check_goes_together(reader: ArgumentReader, arguments: RenewalArguments, *, month_end: MonthEnd) -> None:
    terms = {
        "--first-period": arguments.first_period,
        "--minimal-run-periods": arguments.minimal_run_periods or None,
        "--price": arguments.price,
        "--day-count": arguments.day_count,
    }
    options = [option for option, text in terms.items() if text is not None]
    if options and month_end is not MonthEnd.CLAMP:
        why = f"{month_end.value} gives dates only, because subscriptions always use clamp"
        reader.refuse("--month-end", f"{why}: leave out {', '.join(options)}, or use clamp")


def _price(reader: ArgumentReader, arguments: RenewalArguments) -> Money | None:
    if arguments.price is not None and arguments.currency is None:
        reader.refuse("--currency", "required with --price, as in --currency CHF")
    unit = reader.read("--currency", read_currency, arguments.currency, None)
    return reader.read("--price", partial(_money, unit), arguments.price, None) if unit else None


def _zone(text: str) -> ZoneInfo:
    with suppress(LookupError, ValueError, OSError):  # OSError: the name of a folder of zones
        return ZoneInfo(text)
    hint = did_you_mean(text, available_timezones()) or ", expected one such as Europe/Zurich"
    raise InvalidInput(f"unknown time zone {shown(text)}{hint}")


def _instant(zone: ZoneInfo, text: str) -> datetime:
    try:
        instant = parse_instant(text, zone)
    except InvalidPeriod as error:
        forms = "2026-09-15, 2026-09-15T10:30 or 2026-09-15T10:30:00+02:00"
        raise InvalidInput(f"{error}, expected one such as {forms}") from None
    if instant.year not in YEARS:
        raise InvalidInput(f"expected a year from {YEARS[0]} to {YEARS[-1]}, got {instant.year}")
    return instant


def _mode(modes: type[_Mode], text: str) -> _Mode:
    known = [str(mode.value) for mode in modes]
    if text not in known:
        raise InvalidInput(f"{shown(text)} is not one of {', '.join(known)}{did_you_mean(text, known)}")
    return modes(text)


def _money(unit: Currency, text: str) -> Money:
    return Money(read_price(unit, text), unit)
