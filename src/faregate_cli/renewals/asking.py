"""Reading what a call asks about the renewals of a subscription. Every fault of the call is listed."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from faregate.dates.instants import YEARS, MonthEnd, parse_instant
from faregate.errors import InvalidInput, InvalidPeriod
from faregate.money.amounts import Money
from faregate.money.currency import Currency
from faregate.subscriptions.schedule import (
    DayCount,
    FirstPeriod,
    Yearly,
    parse_rule,
    renewal_dates,
    subscription_configuration,
)
from faregate_catalogue.faults import shown
from faregate_catalogue.suggestions import did_you_mean
from faregate_cli.prices import read_currency, read_price
from faregate_cli.renewals.periods import Renewals, Subscription, periods_between
from faregate_cli.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate.subscriptions.schedule import RenewalRule

__all__ = ["AskedRenewals", "read_renewals"]

_ZONE = ZoneInfo("Europe/Zurich")

_Mode = TypeVar("_Mode", bound=Enum)


class AskedRenewals(NamedTuple):
    """The words of a call. What is not given is chosen when they are read."""

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


class _Read(NamedTuple):
    """What the words say."""

    rule: RenewalRule
    ordered_at: datetime
    zone: ZoneInfo
    month_end: MonthEnd
    first_period: FirstPeriod
    day_count: DayCount
    price: Money | None


def read_renewals(asked: AskedRenewals) -> Renewals:
    """What is *asked*: by default about what is ordered now, where the demo resort is.

    Raises:
        InvalidInput: lists every fault of the call.
    """
    read = _read(asked)
    or_else = ", or for another --month-end" if read.month_end is MonthEnd.REJECT else ""
    with _advice("--count", f"ask for fewer periods{or_else}"):
        boundaries = renewal_dates(
            read.rule, anchor=read.ordered_at.date(), count=asked.periods + 1, month_end=read.month_end
        )
    return Renewals(
        rule=read.rule,
        ordered_at=read.ordered_at,
        zone=read.zone,
        month_end=read.month_end,
        whole_periods=periods_between(boundaries, read.zone),
        subscription=_subscription(asked, read) if read.month_end is MonthEnd.CLAMP else None,
    )


def _subscription(asked: AskedRenewals, read: _Read) -> Subscription:
    with _advice("--minimal-run-periods", "ask for fewer"):
        configuration = subscription_configuration(
            read.rule,
            ordered_at=read.ordered_at,
            zone=read.zone,
            minimal_run_periods=asked.minimal_run_periods,
            first_period=read.first_period,
        )
    return Subscription(configuration, read.day_count, read.price)


@contextmanager
def _advice(option: str, advice: str) -> Iterator[None]:
    """Say to which option it is due that a date does not exist, and what helps."""
    try:
        yield
    except InvalidPeriod as error:
        raise InvalidInput(f"{option}: {error}: {advice}") from None


def _read(asked: AskedRenewals) -> _Read:
    words = Words()
    zone = words.read("--zone", _zone, asked.zone, _ZONE)
    ordered_at = words.read("--ordered", partial(_instant, zone), asked.ordered, datetime.now(UTC))
    read = _Read(
        rule=words.read("--rule", parse_rule, asked.rule, Yearly()),
        ordered_at=ordered_at.astimezone(zone),
        zone=zone,
        month_end=words.read("--month-end", partial(_mode, MonthEnd), asked.month_end, MonthEnd.CLAMP),
        first_period=words.read(
            "--first-period", partial(_mode, FirstPeriod), asked.first_period, FirstPeriod.WAIT
        ),
        day_count=words.read("--day-count", partial(_mode, DayCount), asked.day_count, DayCount.ACTUAL),
        price=_price(words, asked),
    )
    _check_goes_together(words, asked, month_end=read.month_end)
    if words.faults:
        raise InvalidInput(*words.faults)
    return read


def _check_goes_together(words: Words, asked: AskedRenewals, *, month_end: MonthEnd) -> None:
    terms = {
        "--first-period": asked.first_period,
        "--minimal-run-periods": asked.minimal_run_periods or None,
        "--price": asked.price,
        "--day-count": asked.day_count,
    }
    given = [option for option, word in terms.items() if word is not None]
    if given and month_end is not MonthEnd.CLAMP:
        why = f"{month_end.value} gives dates only, since the months of a subscription are clamped"
        words.note("--month-end", f"{why}: leave out {', '.join(given)}, or say clamp")


def _price(words: Words, asked: AskedRenewals) -> Money | None:
    if asked.price is not None and asked.currency is None:
        words.note("--currency", "name that of the price, as in --currency CHF")
    unit = words.read("--currency", read_currency, asked.currency, None)
    return unit and words.read("--price", partial(_money, unit), asked.price, None)


# ---------------------------------------------------------------- single words


def _zone(word: str) -> ZoneInfo:
    with suppress(LookupError, ValueError, OSError):  # OSError: the name of a folder of zones
        return ZoneInfo(word)
    hint = did_you_mean(word, available_timezones()) or ", expected one such as Europe/Zurich"
    raise InvalidInput(f"unknown time zone {shown(word)}{hint}")


def _instant(zone: ZoneInfo, word: str) -> datetime:
    try:
        instant = parse_instant(word, zone)
    except InvalidPeriod as error:
        forms = "2026-09-15, 2026-09-15T10:30 or 2026-09-15T10:30:00+02:00"
        raise InvalidInput(f"{error}, expected one such as {forms}") from None
    if instant.year not in YEARS:
        raise InvalidInput(f"expected a year from {YEARS[0]} to {YEARS[-1]}, got {instant.year}")
    return instant


def _mode(modes: type[_Mode], word: str) -> _Mode:
    known = [str(mode.value) for mode in modes]
    if word not in known:
        raise InvalidInput(f"{shown(word)} is none of {', '.join(known)}{did_you_mean(word, known)}")
    return modes(word)


def _money(unit: Currency, word: str) -> Money:
    return Money(read_price(unit, word), unit)
