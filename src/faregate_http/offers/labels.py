"""Labels for validity periods: days, times and durations in the formats of CLDR. Decisions §8.8.

A *language* is one of ``LANGUAGES``. A *territory* (ISO 3166-1 alpha-2, in capitals) selects the regional
form of the language: English gives "27 Dec 2026" in CH and "Dec 27, 2026" without a territory. Spaces follow
CLDR too: thin ones around a dash, narrow ones before AM and PM, no-break ones after numbers in French.
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
    # Today and tomorrow: CLDR 48, dates/fields/day/relative, which Babel lacks.
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
"""Labels for the kinds of suggested validity periods; if several kinds apply, the first is used."""

# A year of days for eleven durations in four languages; a full cache takes 5 to 8 MB with its keys.
MAX_REMEMBERED = 16_384

# CLDR has ranges only with short months; single days are short too, so that a list has one style.
_DAY = "yMMMEd"
_DAYS = "yMMMd"
_OFFSET = " ZZZZ"
_NOON = time(12)
_MIDNIGHT = time()
# Babel would also accept a script or a path.
_TERRITORY = re.compile("[A-Z]{2}")


@lru_cache(MAX_REMEMBERED)
def day_label(first: date, last: date, language: str, territory: str | None) -> str:
    """Return a day with its weekday, or a range of days that shows a shared month or year once.

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
    """Return a day with the times of *start* and *end*, or both days if midnight lies between them.

    Times are timezone-aware and shown in their own zone. A period that ends at midnight shows only its first
    day. A time that occurs twice because the clock is set back is shown with its UTC offset.

    >>> from datetime import datetime
    >>> from zoneinfo import ZoneInfo
    >>> ten = datetime(2026, 12, 27, 10, tzinfo=ZoneInfo("Europe/Zurich"))
    >>> slot_label(ten, ten.replace(hour=14), "en", "CH")
    'Sun, 27 Dec 2026, 10:00–14:00'
    """
    # Python compares times of one zone without fold, and times of two zones as instants.
    clocks = start.tzinfo, end.tzinfo, start.fold, end.fold
    return _slot_label(start, end, clocks, language, territory)


def suggestion_label(kind: str, language: str, when: str = "") -> str:
    """Return the label of *kind*, a key of ``SUGGESTIONS``, followed by *when*, the period's label.

    >>> suggestion_label("TOMORROW", "fr")
    'Demain'
    >>> suggestion_label("WEEKEND", "en", "26–27 Dec 2026")
    'Weekend · 26–27 Dec 2026'
    """
    words = SUGGESTIONS[kind].in_language(language)
    return f"{words} · {when}" if when else words


@lru_cache(MAX_REMEMBERED)
def duration_label(months: int, days: int, seconds: int, language: str, territory: str | None) -> str:
    """Return the parts of a ``Duration`` in words; nothing is rounded, and hours do not become days.

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
    # A morning would read "9:00 – 12:00 AM".
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
    """Return *count* with its unit in words; Babel's ``format_unit`` lacks some of the Italian words."""
    from babel.dates import TIMEDELTA_UNITS, format_timedelta

    # With an infinite threshold Babel uses the smallest unit only and does not round.
    seconds = count * dict(TIMEDELTA_UNITS)[unit]
    return format_timedelta(seconds, granularity=unit, threshold=inf, locale=locale)


@lru_cache
def _locale(language: str, territory: str | None) -> Locale:
    """Return the locale of *language* in *territory* if CLDR has it, otherwise that of *language* alone."""
    from babel import Locale, UnknownLocaleError

    if territory and _TERRITORY.fullmatch(territory):
        try:
            return Locale(language, territory)
        except UnknownLocaleError:
            pass
    return Locale(language)
