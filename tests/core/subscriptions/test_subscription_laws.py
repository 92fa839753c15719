"""Laws of subscriptions ordered at any instant, in any zone. Decisions §7.3 to §7.6."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from typing import TypeAlias
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from faregate.dates.instants import DateRange
from faregate.errors import InvalidPeriod
from faregate.subscriptions.proration import DayCount, proration
from faregate.subscriptions.rules import (
    EveryDays,
    Monthly,
    MonthlyOn,
    RenewalRule,
    StartConfiguration,
    Yearly,
    YearlyOn,
)
from faregate.subscriptions.schedule import renewal_date
from faregate.subscriptions.terms import (
    FirstPeriod,
    SubscriptionConfiguration,
    first_period_price,
    minimum_term_end,
    subscription_configuration,
)
from support.baskets.strategies import amounts, members
from support.subscriptions.renewal_walk import DAY, Subscription, rules, walked, zones

INSTANT = timedelta(microseconds=1)
SANTIAGO, APIA, BEIRUT, HAVANA = map(
    ZoneInfo, ("America/Santiago", "Pacific/Apia", "Asia/Beirut", "America/Havana")
)

Terms: TypeAlias = tuple[RenewalRule, FirstPeriod]


def terms_of(rule: RenewalRule, first_period: FirstPeriod) -> Terms:
    """Return *first_period*, or WAIT if *rule* counts from the order."""
    is_given = isinstance(rule, MonthlyOn | YearlyOn)
    return rule, first_period if is_given else FirstPeriod.WAIT


terms = st.builds(terms_of, rules, members(FirstPeriod))
instants = st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
given_rules = rules.filter(lambda rule: isinstance(rule, MonthlyOn | YearlyOn))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def begins(instant: datetime, day: date, zone: ZoneInfo) -> bool:
    """Return whether *day*, or the next day if *zone* skipped it, begins at *instant* by the local clock."""
    in_utc = instant.astimezone(UTC)
    now, before = in_utc.astimezone(zone), (in_utc - INSTANT).astimezone(zone)
    assert now.isoformat() == instant.isoformat()
    return before.date() < day <= now.date() <= day + DAY


def local_day(instant: datetime, zone: ZoneInfo) -> date:
    return instant.astimezone(zone).date()


@given(terms, instants, zones)
@example((Monthly(), FirstPeriod.WAIT), at("2024-08-08T12:00:00-04:00"), SANTIAGO)
@example((YearlyOn(9, 8), FirstPeriod.WAIT), at("2024-09-08T12:00:00-03:00"), SANTIAGO)
@example((Monthly(), FirstPeriod.WAIT), at("2011-11-30T12:00:00-10:00"), APIA)
@example((MonthlyOn(30), FirstPeriod.FREE), at("2011-12-29T12:00:00-10:00"), APIA)
@example((EveryDays(1), FirstPeriod.WAIT), at("2011-12-29T12:00:00-10:00"), APIA)
@example((Monthly(), FirstPeriod.WAIT), at("2024-02-29T12:00:00+02:00"), BEIRUT)
@example((MonthlyOn(31), FirstPeriod.FULL), at("2024-03-31T12:00:00+03:00"), BEIRUT)
@example((Yearly(), FirstPeriod.WAIT), at("2023-11-03T12:00:00-04:00"), HAVANA)
def test_it_begins_and_is_billed_at_the_first_instant_of_a_local_day(
    subscribed: Terms, ordered_at: datetime, zone: ZoneInfo
) -> None:
    rule, first_period = subscribed
    found = subscription_configuration(rule, ordered_at=ordered_at, zone=zone, first_period=first_period)

    assert found.starts_on.tzinfo is found.next_billing_date.tzinfo is zone
    assert begins(found.starts_on, found.first.start, zone)
    assert begins(found.next_billing_date, found.first.end, zone)


@given(terms, instants, zones)
def test_its_dates_are_boundaries_of_the_local_day_of_the_order(
    subscribed: Terms, ordered_at: datetime, zone: ZoneInfo
) -> None:
    """Compare with the boundaries of a walk from month to month."""
    rule, first_period = subscribed
    ordered_on = local_day(ordered_at, zone)
    first, second = walked(Subscription(rule, ordered_on), 2)
    assert first is not None
    assert second is not None

    found = subscription_configuration(rule, ordered_at=ordered_at, zone=zone, first_period=first_period)

    is_given = isinstance(rule, MonthlyOn | YearlyOn)
    assert found.start_configuration is (
        StartConfiguration.RENEWAL_DATE if is_given else StartConfiguration.CURRENT_DAY
    )
    if first_period is FirstPeriod.WAIT or first == ordered_on:
        assert found.first == found.whole == DateRange(first, second)
    else:
        assert found.first == DateRange(ordered_on, first)
        before = renewal_date(rule, anchor=ordered_on, index=-1)
        assert found.whole == DateRange(before, first)
        assert found.whole.start < found.first.start < found.whole.end


@given(terms, instants, zones, st.integers(0, 40))
def test_it_may_end_after_the_minimum_number_of_full_periods(
    subscribed: Terms, ordered_at: datetime, zone: ZoneInfo, periods: int
) -> None:
    rule, first_period = subscribed
    ordered_on = local_day(ordered_at, zone)

    found = subscription_configuration(
        rule, ordered_at=ordered_at, zone=zone, minimal_run_periods=periods, first_period=first_period
    )

    assert found.earliest_end == walked(Subscription(rule, ordered_on), periods + 1)[-1]
    assert found.earliest_end == minimum_term_end(rule, anchor=ordered_on, minimal_run_periods=periods)
    assert found.earliest_end >= found.first.start


@given(given_rules, instants, zones, amounts, members(DayCount))
def test_the_first_payment_is_nothing_a_share_or_the_full_price(
    rule: RenewalRule, ordered_at: datetime, zone: ZoneInfo, price: int, convention: DayCount
) -> None:
    def first_payment(first_period: FirstPeriod) -> tuple[SubscriptionConfiguration, int]:
        found = subscription_configuration(rule, ordered_at=ordered_at, zone=zone, first_period=first_period)
        return found, first_period_price(price, found, convention=convention)

    (waiting, paid_later), (found, part), (_, full), (_, nothing) = map(first_payment, FirstPeriod)

    is_ahead = waiting.first.start > local_day(ordered_at, zone)
    assert paid_later == full == price
    assert nothing == (0 if is_ahead else price)
    share = proration(part=found.first, whole=found.whole, convention=convention) if is_ahead else Fraction(1)
    assert 0 <= part <= price
    assert abs(part - price * share) * 2 <= 1


_offsets = st.integers(-23, 23).map(lambda hours: timezone(timedelta(hours=hours)))
_earliest = st.datetimes(max_value=datetime(3, 1, 1), timezones=_offsets)  # noqa: DTZ001
_latest = st.datetimes(datetime(9997, 1, 1), timezones=_offsets)  # noqa: DTZ001


@given(terms, _earliest | _latest, zones)
@example((MonthlyOn(1), FirstPeriod.WAIT), datetime.min.replace(tzinfo=UTC), SANTIAGO)
@example((MonthlyOn(1), FirstPeriod.WAIT), datetime.max.replace(tzinfo=UTC), APIA)
@example((Monthly(), FirstPeriod.WAIT), datetime.min.replace(tzinfo=timezone(timedelta(hours=5))), APIA)
@example((MonthlyOn(31), FirstPeriod.PRORATE), datetime(1, 1, 2, tzinfo=UTC), BEIRUT)
@example((EveryDays(1), FirstPeriod.WAIT), datetime(9999, 12, 30, tzinfo=UTC), BEIRUT)
@example((MonthlyOn(1), FirstPeriod.FREE), datetime(9999, 12, 30, tzinfo=UTC), SANTIAGO)
def test_dates_beyond_the_calendar_are_refused(
    subscribed: Terms, ordered_at: datetime, zone: ZoneInfo
) -> None:
    rule, first_period = subscribed
    with suppress(InvalidPeriod):
        found = subscription_configuration(rule, ordered_at=ordered_at, zone=zone, first_period=first_period)

        assert isinstance(found.first, DateRange)
        assert date.min <= found.whole.start <= found.first.start < found.first.end
