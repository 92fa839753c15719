"""Labels as typed from CLDR; ICU 78 (``Intl``) gives the same days, ranges, slots and counts."""

import re
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.dates.durations import Duration
from faregate.translations import LANGUAGES
from faregate_http.offers.labels import SUGGESTIONS, day_label, duration_label, slot_label, suggestion_label

ZURICH = ZoneInfo("Europe/Zurich")
DASH = "\u2009–\u2009"  # between thin spaces
NARROW = "\u202f"
FIXED = "\xa0"

DATES = st.dates(date(1900, 1, 1), date(8999, 12, 31))
SPANS = st.one_of(st.integers(0, 40), st.integers(0, 800)).map(lambda days: timedelta(days=days))
QUARTERS = st.integers(0, 4 * 24 - 1).map(lambda quarters: timedelta(minutes=15 * quarters))
ANY_LANGUAGE = st.sampled_from(LANGUAGES)
TERRITORIES = st.sampled_from(
    [
        None,
        *(
            "",
            "CH",
            "AT",
            "CA",
            "DE",
            "GB",
            "IT",
            "LI",
            "US",
            "XX",
            "ch",
            "unknown",
            "Shaw",
            "US_POSIX",
            "../de",
        ),
    ]
)


def numbers(label: str) -> list[int]:
    """Return every number in *label*, in order."""
    return [int(number) for number in re.findall(r"\d+", label)]


@given(first=DATES, span=SPANS, language=ANY_LANGUAGE, territory=TERRITORIES)
def test_a_range_names_its_first_and_last_day_and_each_year_once(
    first: date, span: timedelta, language: str, territory: str | None
) -> None:
    last = first + span

    named = numbers(day_label(first, last, language, territory))

    days = [first.day, last.day] if span else [first.day]
    years = [first.year] if first.year == last.year else [first.year, last.year]
    assert sorted(named) == sorted(days + years)
    assert [number for number in named if number <= 31] == days


@given(day=DATES, start=QUARTERS, span=QUARTERS, language=ANY_LANGUAGE)
def test_a_slot_names_its_first_day_and_both_times(
    day: date, start: timedelta, span: timedelta, language: str
) -> None:
    first = datetime.combine(day, time(), UTC) + start
    last = first + span + timedelta(minutes=15)

    label = slot_label(first, last, language, "CH")

    assert re.findall(r"\d\d:\d\d", label) == [f"{first:%H:%M}", f"{last:%H:%M}"]
    assert numbers(label)[:2] == [first.day, first.year]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("territory", ["", "XX", "ch", "unknown", "Shaw", "US_POSIX", "CH/../de"])
def test_an_invalid_territory_is_ignored(territory: str, language: str) -> None:
    day = date(2026, 3, 7)

    assert day_label(day, day, language, territory) == day_label(day, day, language, None)


def test_times_that_occur_twice_are_distinguished() -> None:
    midnight = datetime(2026, 10, 25, tzinfo=ZURICH).astimezone(UTC)
    instants = [(midnight + timedelta(minutes=30 * step)).astimezone(ZURICH) for step in range(12)]
    slots = [
        (start, end) for start in instants for end in instants if start.astimezone(UTC) < end.astimezone(UTC)
    ]

    for language in LANGUAGES:
        labels = {slot_label(start, end, language, "CH") for start, end in slots}

        assert len(labels) == len(slots)


def test_one_instant_in_two_zones_has_two_labels() -> None:
    start, end = datetime(2026, 12, 27, 10, tzinfo=ZURICH), datetime(2026, 12, 27, 14, tzinfo=ZURICH)

    assert slot_label(start, end, "fr", "CH") == f"dim. 27 déc. 2026, 10:00{DASH}14:00"
    assert (
        slot_label(start.astimezone(UTC), end.astimezone(UTC), "fr", "CH")
        == f"dim. 27 déc. 2026, 09:00{DASH}13:00"
    )


@pytest.mark.parametrize(
    ("language", "territory", "label"),
    [
        ("en", None, "Sun, Dec 27, 2026"),
        ("en", "US", "Sun, Dec 27, 2026"),
        ("en", "XX", "Sun, Dec 27, 2026"),
        ("en", "CH", "Sun, 27 Dec 2026"),
        ("en", "IT", "Sun, 27 Dec 2026"),
        ("de", None, "So., 27. Dez. 2026"),
        ("de", "CH", "So., 27. Dez. 2026"),
        ("de", "US", "So., 27. Dez. 2026"),
        ("fr", None, "dim. 27 déc. 2026"),
        ("fr", "CH", "dim. 27 déc. 2026"),
        ("it", None, "dom 27 dic 2026"),
        ("it", "CH", "dom 27 dic 2026"),
    ],
)
def test_a_single_day_has_its_weekday(language: str, territory: str | None, label: str) -> None:
    day = date(2026, 12, 27)

    assert day_label(day, day, language, territory) == label


RANGES = [
    # one month
    ("2026-12-26", "2026-12-27", "en", None, f"Dec 26{DASH}27, 2026"),
    ("2026-12-26", "2026-12-27", "en", "CH", "26–27 Dec 2026"),
    ("2026-12-26", "2026-12-27", "de", None, "26.–27. Dez. 2026"),
    ("2026-12-26", "2026-12-27", "de", "CH", "26.–27. Dez. 2026"),
    ("2026-12-26", "2026-12-27", "fr", None, "26–27 déc. 2026"),
    ("2026-12-26", "2026-12-27", "fr", "CH", "26–27 déc. 2026"),
    ("2026-12-26", "2026-12-27", "it", None, "26–27 dic 2026"),
    ("2026-12-26", "2026-12-27", "it", "CH", "26–27 dic 2026"),
    ("2026-12-01", "2026-12-05", "it", None, "01–05 dic 2026"),
    # two months
    ("2026-11-30", "2026-12-12", "en", None, f"Nov 30{DASH}Dec 12, 2026"),
    ("2026-11-30", "2026-12-12", "en", "CH", f"30 Nov{DASH}12 Dec 2026"),
    ("2026-11-30", "2026-12-12", "de", "CH", f"30. Nov.{DASH}12. Dez. 2026"),
    ("2026-11-30", "2026-12-12", "fr", "CH", f"30 nov.{DASH}12 déc. 2026"),
    ("2026-11-30", "2026-12-12", "it", "CH", f"30 nov{DASH}12 dic 2026"),
    # two years
    ("2026-12-31", "2027-01-10", "en", None, f"Dec 31, 2026{DASH}Jan 10, 2027"),
    ("2026-12-31", "2027-01-10", "en", "CH", f"31 Dec 2026{DASH}10 Jan 2027"),
    ("2026-12-31", "2027-01-10", "de", "CH", f"31. Dez. 2026{DASH}10. Jan. 2027"),
    ("2026-12-31", "2027-01-10", "de", "AT", f"31. Dez. 2026{DASH}10. Jän. 2027"),
    ("2026-12-31", "2027-01-10", "fr", "CH", f"31 déc. 2026{DASH}10 janv. 2027"),
    ("2026-12-31", "2027-01-10", "it", "CH", f"31 dic 2026{DASH}10 gen 2027"),
    # the same month, and even the same day, of two years
    ("2026-03-12", "2027-03-11", "de", "CH", f"12. März 2026{DASH}11. März 2027"),
    ("2026-03-12", "2027-03-12", "en", "CH", f"12 Mar 2026{DASH}12 Mar 2027"),
]


@pytest.mark.parametrize(("first", "last", "language", "territory", "label"), RANGES)
def test_a_range_writes_a_shared_month_and_year_once(
    first: str, last: str, language: str, territory: str | None, label: str
) -> None:
    assert day_label(date.fromisoformat(first), date.fromisoformat(last), language, territory) == label


SLOTS = [
    # one day
    ("27T10:00", "27T14:00", "en", None, f"Sun, Dec 27, 2026, 10:00{NARROW}AM{DASH}2:00{NARROW}PM"),
    ("27T09:00", "27T10:30", "en", None, f"Sun, Dec 27, 2026, 9:00{DASH}10:30{NARROW}AM"),
    ("27T10:00", "27T14:00", "en", "CH", "Sun, 27 Dec 2026, 10:00–14:00"),
    ("27T10:00", "27T14:00", "de", "CH", "So., 27. Dez. 2026, 10:00–14:00 Uhr"),
    ("27T10:00", "27T14:00", "fr", "CH", f"dim. 27 déc. 2026, 10:00{DASH}14:00"),
    ("27T10:00", "27T14:00", "it", "CH", "dom 27 dic 2026, 10:00–14:00"),
    ("27T10:15", "27T10:45", "it", None, "dom 27 dic 2026, 10:15–10:45"),
    ("27T10:00", "27T14:00", "fr", "CA", f"dim. 27 déc. 2026, 10 h 00{DASH}14 h 00"),
    # until midnight
    ("27T20:00", "28T00:00", "en", None, f"Sun, Dec 27, 2026, 8:00{NARROW}PM{DASH}12:00{NARROW}AM"),
    ("27T20:00", "28T00:00", "de", "CH", "So., 27. Dez. 2026, 20:00–00:00 Uhr"),
    ("27T12:00", "28T00:00", "it", "CH", "dom 27 dic 2026, 12:00–00:00"),
    # two days
    ("27T20:00", "29T00:00", "en", "CH", f"Sun, 27 Dec 2026, 20:00{DASH}Tue, 29 Dec 2026, 00:00"),
    ("27T11:45", "28T00:00", "en", "CH", f"Sun, 27 Dec 2026, 11:45{DASH}Mon, 28 Dec 2026, 00:00"),
    (
        "27T22:00",
        "28T02:00",
        "en",
        None,
        f"Sun, Dec 27, 2026, 10:00{NARROW}PM{DASH}Mon, Dec 28, 2026, 2:00{NARROW}AM",
    ),
    ("27T22:00", "28T02:00", "en", "CH", f"Sun, 27 Dec 2026, 22:00{DASH}Mon, 28 Dec 2026, 02:00"),
    ("27T22:00", "28T02:00", "de", "CH", f"So., 27. Dez. 2026, 22:00{DASH}Mo., 28. Dez. 2026, 02:00"),
    ("27T22:00", "28T02:00", "fr", "CH", f"dim. 27 déc. 2026, 22:00{DASH}lun. 28 déc. 2026, 02:00"),
    ("27T22:00", "28T02:00", "it", "CH", f"dom 27 dic 2026, 22:00{DASH}lun 28 dic 2026, 02:00"),
    ("27T00:00", "28T00:00", "en", "CH", f"Sun, 27 Dec 2026, 00:00{DASH}Mon, 28 Dec 2026, 00:00"),
    ("27T10:00", "29T10:00", "en", "CH", f"Sun, 27 Dec 2026, 10:00{DASH}Tue, 29 Dec 2026, 10:00"),
]


@pytest.mark.parametrize(("start", "end", "language", "territory", "label"), SLOTS)
def test_a_slot_has_its_times_and_two_days_only_across_midnight(
    start: str, end: str, language: str, territory: str | None, label: str
) -> None:
    first, last = (datetime.fromisoformat(f"2026-12-{text}").replace(tzinfo=ZURICH) for text in (start, end))

    assert slot_label(first, last, language, territory) == label


@pytest.mark.parametrize(
    ("start", "end", "language", "times"),
    [
        # 02:30 and, an hour later, 02:30 again; Babel alone would show one time.
        ("2026-10-25T00:30Z", "2026-10-25T01:30Z", "en", f"02:30 GMT+02:00{DASH}02:30 GMT+01:00"),
        ("2026-10-25T00:30Z", "2026-10-25T01:30Z", "fr", f"02:30 UTC+02:00{DASH}02:30 UTC+01:00"),
        ("2026-10-25T00:15Z", "2026-10-25T00:45Z", "it", f"02:15 GMT+02:00{DASH}02:45 GMT+02:00"),
        ("2026-10-25T01:15Z", "2026-10-25T03:45Z", "de", f"02:15 GMT+01:00{DASH}04:45"),
        ("2026-10-24T23:00Z", "2026-10-25T03:00Z", "en", "01:00–04:00"),
        ("2026-03-29T00:30Z", "2026-03-29T01:30Z", "en", "01:30–03:30"),
    ],
)
def test_only_a_time_that_occurs_twice_has_its_offset(
    start: str, end: str, language: str, times: str
) -> None:
    first, last = (datetime.fromisoformat(text).astimezone(ZURICH) for text in (start, end))

    assert slot_label(first, last, language, "CH").endswith(f"2026, {times}")


@pytest.mark.parametrize(
    ("duration", "language", "label"),
    [
        ("PT90M", "en", "1 hour 30 minutes"),
        ("PT90M", "de", "1 Stunde 30 Minuten"),
        ("PT90M", "fr", f"1{FIXED}heure 30 minutes"),
        ("PT90M", "it", "1 ora 30 minuti"),
        ("P1DT2H30M", "en", "1 day 2 hours 30 minutes"),
        ("P1DT2H30M", "de", "1 Tag 2 Stunden 30 Minuten"),
        ("P1DT2H30M", "fr", f"1{FIXED}jour 2{FIXED}heures 30 minutes"),
        ("P1DT2H30M", "it", "1 giorno 2 ore 30 minuti"),
        ("P18M", "en", "1 year 6 months"),
        ("P1W", "de", "7 Tage"),
        ("PT24H", "it", "24 ore"),
        ("PT36H", "fr", f"36{FIXED}heures"),
        ("PT61S", "en", "1 minute 1 second"),
        ("P14M", "it", "1 anno 2 mesi"),
        ("P27M", "fr", f"2 ans 3{FIXED}mois"),
    ],
)
def test_a_duration_keeps_its_parts_and_never_turns_hours_into_days(
    duration: str, language: str, label: str
) -> None:
    assert duration_label(*Duration.parse(duration), language, "CH") == label


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        ("TODAY", ["Today", "Heute", "Aujourd’hui", "Oggi"]),
        ("TOMORROW", ["Tomorrow", "Morgen", "Demain", "Domani"]),
        ("WEEKEND", ["Weekend", "Wochenende", "Week-end", "Fine settimana"]),
        (
            "NEXT",
            [
                "Next available",
                "Nächster verfügbarer Termin",
                "Prochaine disponibilité",
                "Prossima disponibilità",
            ],
        ),
    ],
)
def test_a_suggestion_has_its_own_words_before_the_days(kind: str, labels: list[str]) -> None:
    assert [suggestion_label(kind, language) for language in LANGUAGES] == labels
    assert suggestion_label(kind, "en", "26–27 Dec 2026") == f"{labels[0]} · 26–27 Dec 2026"


def test_suggestion_kinds_are_ordered_by_nearness() -> None:
    assert list(SUGGESTIONS) == ["TODAY", "TOMORROW", "WEEKEND", "NEXT"]


def test_babel_is_not_loaded_before_the_first_label() -> None:
    code = """if True:
        import sys
        from datetime import date
        from faregate_http.offers.labels import day_label
        assert "babel" not in sys.modules
        day_label(date(2026, 12, 27), date(2026, 12, 27), "en", None)
        assert "babel" in sys.modules
    """

    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
