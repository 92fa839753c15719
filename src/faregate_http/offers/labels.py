"""What a booking list calls a validity: days, times and durations as CLDR writes them. Decisions §8.8.

A *language* is one of ``LANGUAGES``. A *territory* (ISO 3166-1 alpha-2, in capitals) selects what CLDR has
for that language there: English reads "27 Dec 2026" in CH and "Dec 27, 2026" where no territory is known.
Spaces are CLDR's too: thin ones around a dash, narrow ones before AM and PM, fixed ones after French numbers.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Literal

from faregate.translations import Text

if TYPE_CHECKING:
    from babel import Locale

    Unit = Literal["year", "month", "day", "hour", "minute", "second"]

SUGGESTIONS = {
    # Today and tomorrow: CLDR 48, dates/fields/day/relative; Babel leaves them out.
    "TODAY": Text("Today", de="Heute", fr="Aujourd’hui", it="Oggi"),
    "TOMORROW": Text("Tomorrow", de="Morgen", fr="Demain", it="Domani"),
    "WEEKEND": Text("Weekend", de="Wochenende", fr="Week-end", it="Fine settimana"),
    "NEXT": Text(
        "Next available",
        de="Nächster verfügbarer Termin",
        fr="Prochaine disponibilité",
        it="Prossima disponibilità",
    ),
}
"""The kinds of suggested validities, the one that prevails first."""

# A year of days for eleven durations in four languages; full, with its keys, each memory takes 5 to 8 MB.
MAX_REMEMBERED = 16_384

# CLDR has ranges only with short months, so that a single day is short as well: one list, one style.
_DAY = "yMMMEd"
_DAYS = "yMMMd"
_OFFSET = " ZZZZ"
_NOON = time(12)
_MIDNIGHT = time()
# Babel would also take a script or a path.
_TERRITORY = re.compile("[A-Z]{2}")


@lru_cache(MAX_REMEMBERED)
def day_label(first: date, last: date, language: str, territory: str | None) -> str:
    """A day with its weekday; of a range the days alone, month and year once where they are shared.

    >>> from datetime import date
    >>> day_label(date(2026, 12, 27), date(2026, 12, 27), "de", "CH")
    'So., 27. Dez. 2026'
    >>> day_label(date(2026, 12, 26), date(2026, 12, 27), "en", "CH")
    '26–27 Dec 2026'
    """
    from babel.dates import format_interval

    locale = _locale(language, territory)
    return _day(first, locale) if first == last else format_interval(first, last, _DAYS, locale=locale)


def slot_label(start: datetime, end: datetime, language: str, territory: str | None) -> str:
    """A day with the time from *start* to *end*; both days, where midnight lies between them.

    The times are aware, and shown as they are. An end at midnight is that of an afternoon's own day. A
    time that the clock shows twice, as it is set back, comes with its offset.

    >>> from datetime import datetime
    >>> from zoneinfo import ZoneInfo
    >>> ten = datetime(2026, 12, 27, 10, tzinfo=ZoneInfo("Europe/Zurich"))
    >>> slot_label(ten, ten.replace(hour=14), "en", "CH")
    'Sun, 27 Dec 2026, 10:00–14:00'
    """
    # Times of one zone are equal whatever their fold, and those of two zones where the instant is one.
    clocks = start.tzinfo, end.tzinfo, start.fold, end.fold
    return _slot_label(start, end, clocks, language, territory)


def suggestion_label(kind: str, language: str, when: str = "") -> str:
    """The words for a suggested validity of a *kind* of ``SUGGESTIONS``, then *when*, its own label.

    >>> suggestion_label("TOMORROW", "fr")
    'Demain'
    >>> suggestion_label("WEEKEND", "en", "26–27 Dec 2026")
    'Weekend · 26–27 Dec 2026'
    """
    words = SUGGESTIONS[kind].in_language(language)
    return f"{words} · {when}" if when else words


@lru_cache(MAX_REMEMBERED)
def duration_label(months: int, days: int, seconds: int, language: str, territory: str | None) -> str:
    """The parts of a ``Duration`` in words, exactly: neither rounded nor turned from hours into days.

    >>> duration_label(0, 1, 9000, "en", None)
    '1 day 2 hours 30 minutes'
    >>> duration_label(12, 0, 0, "it", "CH")
    '1 anno'
    """
    locale = _locale(language, territory)
    years, months = divmod(months, 12)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    counts: dict[Unit, int] = {
        "year": years,
        "month": months,
        "day": days,
        "hour": hours,
        "minute": minutes,
        "second": seconds,
    }
    return " ".join(_counted(count, unit, locale) for unit, count in counts.items() if count)


@lru_cache(MAX_REMEMBERED)
def _slot_label(start: datetime, end: datetime, _clocks: object, language: str, territory: str | None) -> str:
    locale = _locale(language, territory)
    if _is_one_day(start, end):
        return _joined(_day(start, locale), _times(start, end, locale), locale)
    first, last = (_joined(_day(instant, locale), _time(instant, locale), locale) for instant in (start, end))
    return _dashed(first, last, locale)


def _is_one_day(start: datetime, end: datetime) -> bool:
    # Of a morning it would read "9:00 – 12:00 AM".
    is_evening = start.time() >= _NOON and end.time() == _MIDNIGHT
    return end.date() - start.date() == timedelta(days=int(is_evening))


def _is_shown_twice(instant: datetime) -> bool:
    return instant.utcoffset() != instant.replace(fold=1 - instant.fold).utcoffset()


def _day(day: date, locale: Locale) -> str:
    from babel.dates import format_skeleton

    return format_skeleton(_DAY, day, locale=locale)


def _time(instant: datetime, locale: Locale) -> str:
    from babel.dates import format_datetime

    pattern = _clock(locale) + (_OFFSET if _is_shown_twice(instant) else "")
    return format_datetime(instant, pattern, locale=locale)


def _times(start: datetime, end: datetime, locale: Locale) -> str:
    from babel.dates import format_interval

    if _is_shown_twice(start) or _is_shown_twice(end):
        return _dashed(_time(start, locale), _time(end, locale), locale)
    return format_interval(start, end, "Hm" if "H" in _clock(locale) else "hm", locale=locale)


def _clock(locale: Locale) -> str:
    return str(locale.time_formats["short"].pattern)


def _dashed(first: str, last: str, locale: Locale) -> str:
    return str(locale.interval_formats[None]).format(first, last)


def _joined(day: str, times: str, locale: Locale) -> str:
    return str(locale.datetime_formats["medium"]).format(times, day)


def _counted(count: int, unit: Unit, locale: Locale) -> str:
    """So many of one unit; Babel's ``format_unit`` has no long Italian days, months and years."""
    from babel.dates import TIMEDELTA_UNITS, format_timedelta

    # A threshold that nothing reaches: every unit but the smallest is passed over, and nothing is rounded.
    seconds = count * dict(TIMEDELTA_UNITS)[unit]
    return format_timedelta(seconds, granularity=unit, threshold=inf, locale=locale)


@lru_cache
def _locale(language: str, territory: str | None) -> Locale:
    """The locale of the territory, where CLDR has one, else of the language alone."""
    from babel import Locale, UnknownLocaleError

    if territory and _TERRITORY.fullmatch(territory):
        try:
            return Locale(language, territory)
        except UnknownLocaleError:
            pass
    return Locale(language)
