"""Laws of calendars: day patterns hold exactly the days that counting one by one gives."""

from dataclasses import replace
from datetime import date, timedelta

from hypothesis import assume, example, given
from hypothesis import strategies as st

from faregate.catalogue.calendars import (
    Calendar,
    DayPattern,
    EasterDay,
    Holiday,
    MonthDay,
    Season,
    Span,
    YearlyDay,
    easter_sunday,
)
from faregate.dates.instants import YEARS

DAY = timedelta(days=1)
SEASONS = ("a", "b", "c")
LEAP_DAY = MonthDay(2, 29)
HORIZON = 3 * 366

days = st.dates(date(2023, 1, 1), date(2033, 12, 31))
month_days = st.dates(date(2024, 1, 1), date(2024, 12, 31)).map(lambda day: MonthDay(day.month, day.day))
yearly_days: st.SearchStrategy[YearlyDay] = st.one_of(
    month_days,
    st.sampled_from((LEAP_DAY, MonthDay(2, 28), MonthDay(3, 1), MonthDay(12, 31), MonthDay(1, 1))),
    st.integers(-80, 250).map(EasterDay),
)
dated_spans = st.builds(lambda first, length: Span(first, first + length * DAY), days, st.integers(0, 1200))
yearly_spans = st.builds(Span, yearly_days, yearly_days)
spans = dated_spans | yearly_spans
seasons = st.lists(spans, min_size=1, max_size=3).map(tuple)
calendars = st.builds(
    lambda spans, holidays: Calendar(
        seasons=tuple(Season(identifier=name, spans=of) for name, of in zip(SEASONS, spans, strict=True)),
        holidays=tuple(map(Holiday, holidays)),
    ),
    st.tuples(seasons, seasons, seasons),
    st.lists(days | yearly_days, max_size=4),
)
sets_of_days = st.builds(
    DayPattern,
    seasons=st.frozensets(st.sampled_from(SEASONS), max_size=2),
    weekdays=st.frozensets(st.integers(1, 7), max_size=4),
    dates=st.lists(spans, max_size=2).map(tuple),
    is_holiday=st.none() | st.booleans(),
)


def oudin(year: int) -> date:
    """Return Easter by Oudin's algorithm of 1940, as given in the Astronomical Almanac."""
    century, golden = year // 100, year % 19
    shift = (century - 17) // 25
    moon = (century - century // 4 - (century - shift) // 3 + 19 * golden + 15) % 30
    moon -= moon // 28 * (1 - 29 // (moon + 1) * ((21 - golden) // 11))
    sunday = moon - (year + year // 4 + moon + 2 - century + century // 4) % 7
    month = 3 + (sunday + 40) // 44
    return date(year, month, sunday + 28 - 31 * (month // 4))


def test_easter_is_the_same_by_another_algorithm_in_every_year() -> None:
    assert [year for year in YEARS if easter_sunday(year) != oudin(year)] == []


def test_easter_is_a_sunday_of_the_thirty_five_days_after_21_march() -> None:
    offsets = {(easter_sunday(year) - date(year, 3, 21)).days for year in YEARS}

    assert offsets == set(range(1, 36))
    assert {easter_sunday(year).isoweekday() for year in YEARS} == {7}


def is_yearly_day(day: date, yearly: YearlyDay) -> bool:
    """Return True if *day* is the day *yearly* of its year, judging by the date alone."""
    if isinstance(yearly, EasterDay):
        easter = day - yearly.offset * DAY
        return easter == oudin(easter.year)
    if yearly == LEAP_DAY:
        return day.month == 2 and (day + DAY).month == 3
    return MonthDay(day.month, day.day) == yearly


def begins_on(day: date, span: Span) -> bool:
    return day == span.first if isinstance(span.first, date) else is_yearly_day(day, span.first)


def is_in_span(day: date, span: Span) -> bool:
    """Return True if the span has not ended between its last beginning and *day*."""
    first, last = span.first, span.last
    if isinstance(first, date):
        assert isinstance(last, date)
        return first <= day <= last
    assert not isinstance(last, date)
    start = day
    while not is_yearly_day(start, first):
        start -= DAY
    end = last.in_year(start.year)
    return day <= (end if end >= start else last.in_year(start.year + 1))


def season_of(calendar: Calendar, name: str) -> Season:
    return calendar.seasons[SEASONS.index(name)]


@given(spans, days)
@example(Span(MonthDay(12, 20), MonthDay(1, 6)), date(2027, 1, 6))
@example(Span(LEAP_DAY, LEAP_DAY), date(2027, 2, 28))
@example(Span(LEAP_DAY, LEAP_DAY), date(2028, 2, 28))
def test_a_span_contains_the_days_from_its_start_to_its_end(span: Span, day: date) -> None:
    assert DayPattern(dates=(span,)).include(day, Calendar()) is is_in_span(day, span)


@given(sets_of_days, calendars, days)
def test_a_day_is_included_if_it_meets_every_given_criterion(
    chosen: DayPattern, calendar: Calendar, day: date
) -> None:
    in_season = [
        any(is_in_span(day, span) for span in season_of(calendar, name).spans) for name in chosen.seasons
    ]
    in_dates = [is_in_span(day, span) for span in chosen.dates]
    is_holiday = any(
        holiday.on == day if isinstance(holiday.on, date) else is_yearly_day(day, holiday.on)
        for holiday in calendar.holidays
    )

    expected = (
        (any(in_season) or not chosen.seasons)
        and (day.isoweekday() in chosen.weekdays or not chosen.weekdays)
        and (any(in_dates) or not chosen.dates)
        and chosen.is_holiday in {None, is_holiday}
    )
    assert chosen.include(day, calendar) is expected
    assert calendar.is_holiday(day) is is_holiday


@given(sets_of_days, calendars, days)
def test_additional_criteria_never_include_more_days(
    chosen: DayPattern, calendar: Calendar, day: date
) -> None:
    assume(chosen.include(day, calendar))

    assert replace(chosen, seasons=frozenset()).include(day, calendar)
    assert replace(chosen, weekdays=frozenset()).include(day, calendar)
    assert replace(chosen, dates=()).include(day, calendar)
    assert replace(chosen, is_holiday=None).include(day, calendar)


@given(seasons, days)
def test_a_season_is_in_one_of_its_ranges_or_in_none(spans: tuple[Span, ...], day: date) -> None:
    season = Season(identifier="a", spans=spans)
    current = season.range_on(day)

    assert (current is not None) is any(is_in_span(day, span) for span in spans)
    if current is not None:
        assert current.start <= day < current.end
        assert season.range_on(current.start) is not None
        assert season.range_on(current.end - DAY) is not None


@given(seasons, days)
def test_the_next_range_is_the_first_one_that_begins_after_the_day(
    spans: tuple[Span, ...], day: date
) -> None:
    following = Season(identifier="a", spans=spans).next_range(day)

    begins = [
        other
        for other in (day + n * DAY for n in range(1, HORIZON))
        if any(begins_on(other, span) for span in spans)
    ]
    if following is None or following.start >= day + HORIZON * DAY:
        assert begins == []
    else:
        assert following.start == begins[0]
        assert following.start < following.end


@given(calendars, days)
def test_a_calendar_gives_the_same_result_however_often_it_is_queried(calendar: Calendar, day: date) -> None:
    fresh = Calendar(seasons=calendar.seasons, holidays=calendar.holidays)

    assert calendar.is_holiday(day) is calendar.is_holiday(day) is fresh.is_holiday(day)
    assert calendar == fresh
    assert hash(calendar) == hash(fresh)
