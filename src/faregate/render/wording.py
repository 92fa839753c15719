"""English labels for validity periods, days, durations, instants and items, independent of the locale."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.model import CheckoutItem
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval, start_of_day

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""Abbreviated weekdays, in the order of ``date.weekday``."""

_TICK = timedelta(microseconds=1)


def validity_label(validity: Interval, zone: ZoneInfo) -> str:
    """Return a readable label of *validity*: its days and, unless it covers whole days, its hours.

    >>> from zoneinfo import ZoneInfo
    >>> from faregate.dates.instants import parse_interval
    >>> zurich = ZoneInfo("Europe/Zurich")
    >>> validity_label(parse_interval("2026-12-27", "2026-12-29", zurich), zurich)
    '27–29 Dec 2026'
    >>> validity_label(parse_interval("2026-12-27T09:00", "2026-12-27T13:00", zurich), zurich)
    '27 Dec 2026, 09:00–13:00'
    """
    start, end = validity.start.astimezone(zone), validity.end.astimezone(zone)
    if _begins_a_day(start, zone) and _begins_a_day(end, zone):
        return _days_label(start.date(), (end - _TICK).date())
    if start.date() == end.date():
        return f"{day_label(start.date())}, {start:%H:%M}–{end:%H:%M}"
    return f"{day_label(start.date())}, {start:%H:%M} – {day_label(end.date())}, {end:%H:%M}"


def instant_label(instant: datetime) -> str:
    """Return the label of an instant in its own time zone, such as ``27 Dec 2026, 09:15 CET``."""
    return f"{day_label(instant.date())}, {instant:%H:%M %Z}"


def day_label(day: date) -> str:
    """Return the label of a day, such as ``27 Dec 2026``."""
    return f"{day.day} {_month(day)} {day.year}"


def month_label(day: date) -> str:
    """Return the label of the month of *day*, such as ``December 2026``."""
    return f"{MONTHS[day.month - 1]} {day.year}"


def duration_label(duration: Duration) -> str:
    """Return a duration in words, exactly: without rounding, and without converting hours to days.

    >>> from faregate.dates.durations import Duration
    >>> duration_label(Duration(months=12)), duration_label(Duration(days=1, seconds=9000))
    ('1 year', '1 day 2 hours 30 minutes')
    """
    years, months = divmod(duration.months, 12)
    minutes, seconds = divmod(duration.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    counts = {
        "year": years,
        "month": months,
        "day": duration.days,
        "hour": hours,
        "minute": minutes,
        "second": seconds,
    }
    return " ".join(f"{count} {unit}{'' if count == 1 else 's'}" for unit, count in counts.items() if count)


def printable(text: str) -> str:
    """Return *text* with unprintable characters, such as terminal control codes, replaced."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def line_labels(
    items: Iterable[CheckoutItem], members: Iterable[tuple[int, ...]], catalogue: Catalogue
) -> dict[int, str]:
    """Return the label of each line, keyed by its first item id; *members* are the item ids per line."""
    by_id = {item.id: item for item in items}
    return {ids[0]: item_label(by_id[ids[0]], catalogue) for ids in members}


def item_label(item: CheckoutItem, catalogue: Catalogue) -> str:
    """Return the label of an item, such as ``Day ticket · Adult · 27 Dec 2026``."""
    return printable(" · ".join(part for part in _label_parts(item, catalogue) if part))


def _label_parts(item: CheckoutItem, catalogue: Catalogue) -> Iterator[str]:
    product, variant = catalogue.variant(item.variant)
    yield str(product.translation) or product.name
    if len(product.variants) > 1:
        yield str(variant.translation) or variant.name
    if item.validity is not None:
        yield validity_label(item.validity, ZoneInfo(catalogue.merchant(product.merchant).timezone))
    yield from (str(card.name) for card in catalogue.discount_cards if card.id == item.discount_card)


def _begins_a_day(instant: datetime, zone: ZoneInfo) -> bool:
    return instant == start_of_day(instant.date(), zone)


def _days_label(first: date, last: date) -> str:
    if first == last:
        return day_label(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{day_label(last)}"
    if first.year == last.year:
        return f"{first.day} {_month(first)} – {day_label(last)}"
    return f"{day_label(first)} – {day_label(last)}"


def _month(day: date) -> str:
    return MONTHS[day.month - 1][:3]


MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
