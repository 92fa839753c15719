"""Calendars and suggestions as HTML: the text of a day, and the number of months. Decisions §8."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from faregate import render
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval
from faregate.money.currency import currency
from faregate.render.calendars import MAX_MONTHS, OBSTACLES
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import UnitOffer, ValidityOption
from faregate.validity.options import (
    SuggestedValidities,
    ValidityOptions,
    ValidityQuery,
    suggest_validities,
    validity_options,
)
from support.render.shown_html import texts, tree_of
from support.shops.booking_shop import ADULT, CHILD, DAY, TICKET, at, shop, ticket

FRANCS = currency("CHF")


SOLD_OUT, CLOSED = Obstacle.SOLD_OUT, Obstacle.CLOSED
HOURS = Duration(seconds=4 * 3600)


def option(
    day: str,
    *prices: int,
    left: tuple[int | None, ...] = (10,),
    obstacle: Obstacle | None = None,
    duration: Duration = DAY,
) -> ValidityOption:
    """Return an option from the beginning of *day*, for variants with these *prices* and units *left*."""
    start = at(day)
    room = left if len(left) == len(prices) else left * len(prices)
    units = tuple(
        UnitOffer(n, price, free, None) for n, (price, free) in enumerate(zip(prices, room, strict=True))
    )
    return ValidityOption(Interval(start, start + timedelta(hours=24)), duration, units, obstacle)


def options(*found: ValidityOption) -> ValidityOptions:
    return ValidityOptions(options=found, has_capacities=True, durations=(DAY,))


SHOP: dict[str, Any] = {"catalogue": shop(ticket()), "capacity": {}, "now": at("2026-12-21T09:00")}


def suggested() -> SuggestedValidities:
    return suggest_validities(ValidityQuery(TICKET), **SHOP)


def day_of(html: str, day: int) -> tuple[str, str]:
    """Return the text and the CSS class of a day of the first month."""
    (cell,) = [
        cell for cell in tree_of(html).iterfind("table/tbody/tr/td") if cell.findtext("b") == str(day)
    ][:1]
    return "|".join(cell.itertext()), cell.get("class") or ""


CALENDAR = options(
    option("2026-12-01", 8000, 4000),
    option("2026-12-02", 6000, left=(None,)),
    option("2026-12-03", 8000, left=(0,), obstacle=SOLD_OUT),
    option("2026-12-04", 8000, obstacle=CLOSED),
    option("2026-12-05T09:00", 5000, left=(0,), obstacle=SOLD_OUT, duration=HOURS),
    option("2026-12-05T13:00", 7000, left=(3,), duration=HOURS),
    option("2026-12-05T15:00", 8000, left=(8,), duration=HOURS),
)


@pytest.mark.parametrize(
    ("day", "said", "looks"),
    [
        (1, "1|40.00+|10 left", "p0"),
        (2, "2|60.00|any number", "p2"),
        (3, "3|80.00|sold out", "no"),
        (4, "4|closed", "no"),
        (5, "5|70.00+|8 left", "p4"),
        (6, "6", ""),
    ],
)
def test_a_day_shows_the_cheapest_price_and_the_places_or_the_obstacle(
    day: int, said: str, looks: str
) -> None:
    assert day_of(render.html(CALENDAR, currency=FRANCS), day) == (said, looks)


def test_a_day_for_a_party_shows_its_total() -> None:
    party = option("2026-12-06", 8000, 4000)._replace(is_party=True)

    assert day_of(render.html(options(party), currency=FRANCS), 6)[0] == "6|120.00|available"


def test_a_calendar_summarises_its_validities() -> None:
    assert tree_of(render.html(CALENDAR, currency=FRANCS)).findtext("p") == (
        "7 validities of 1 day, 4 hours; 1 Dec 2026 to 5 Dec 2026; 4 can be booked; "
        "prices 40.00 to 80.00 CHF; +: others cost more"
    )
    for obstacle, ending in ((None, "1 can be booked; prices 8000 minor units"), (CLOSED, "0 can be booked")):
        found = options(option("2026-12-04", 8000, obstacle=obstacle))
        said = tree_of(render.html(found)).findtext("p")
        assert said == f"1 validity of 1 day; 4 Dec 2026; {ending}"


@pytest.mark.parametrize(
    "found",
    [
        (option("2026-12-01", 8000), option("2026-12-01", 15000, duration=HOURS)),
        (option("2026-12-01", 8000, 4000),),
        (option("2026-12-01", 8000, 4000, left=(0,), obstacle=SOLD_OUT),),
        (option("2026-12-01", 8000), option("2026-12-02", 9000)),
        (option("2026-12-01", 8000, 4000, obstacle=CLOSED),),
        (option("2026-12-01", 8000), option("2026-12-01", 9000, left=(0,), obstacle=SOLD_OUT)),
    ],
    ids=["durations", "variants", "sold out", "other days", "not sold", "one of them sold out"],
)
def test_a_plus_is_explained_only_if_there_is_one(found: tuple[ValidityOption, ...]) -> None:
    tree = tree_of(render.html(options(*found)))

    has_plus = any("+" in "".join(cell.itertext()) for cell in tree.iter("td"))
    assert ("+: others cost more" in (tree.findtext("p") or "")) == has_plus


def test_a_calendar_uses_the_currency_of_its_merchant() -> None:
    found = validity_options(ValidityQuery(TICKET), **SHOP)

    assert found.currency == FRANCS
    assert render.html(found) == render.html(found, currency=FRANCS)
    assert "prices 80.00 CHF" in render.html(found)
    assert "prices 8000 JPY" in render.html(found, currency=currency("JPY"))


def test_no_currency_becomes_markup() -> None:
    hostile = replace(currency("CHF"), code="<script>")
    found = suggested()

    for html in (render.html(CALENDAR, currency=hostile), render.html(found, currency=hostile)):
        assert "<script" not in html
        assert "&lt;script&gt;" in html


def test_weeks_begin_on_monday_and_stay_within_their_month() -> None:
    table = tree_of(render.html(CALENDAR)).find("table")

    assert table is not None
    assert [(head.text, head.get("scope")) for head in table.iterfind("thead/tr/th")] == [
        (weekday, "col") for weekday in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    ]
    assert [[cell.findtext("b") for cell in week] for week in table.iterfind("tbody/tr")] == [
        [None, *map(str, range(1, 7))]
    ]


def test_every_month_is_a_table_with_its_name() -> None:
    tree = tree_of(render.html(options(option("2026-12-31", 8000), option("2027-01-01", 8000))))

    assert [table.get("class") for table in tree.iterfind("table")] == ["faregate-calendar"] * 2
    assert [caption.text for caption in tree.iterfind("table/caption")] == ["December 2026", "January 2027"]
    # New Year's Eve is a Thursday, New Year's Day the Friday of the same week.
    assert [["".join(cell.itertext()) for cell in row] for row in tree.iterfind("table/tbody/tr")] == [
        ["28", "29", "30", "31800010 left", "", "", ""],
        ["", "", "", "", "1800010 left", "2", "3"],
    ]


def test_only_a_summary_and_months_are_shown() -> None:
    tree = tree_of(render.html(options(option("2026-12-31", 8000), option("2027-01-01", 8000))))

    assert [part.tag for part in tree] == ["style", "p", "table", "table"]
    cells = tree.findall("table/tbody/tr/*")
    assert {cell.tag for cell in cells} == {"td"}
    assert {part.tail for part in (*tree, *cells)} == {None}


@pytest.mark.parametrize(
    ("days", "more"),
    [(90, None), (92, "… and 2 more in 1 more month"), (366, "… and 276 more in 10 more months")],
)
def test_only_the_first_months_of_a_year_are_shown(days: int, more: str | None) -> None:
    first = at("2026-12-01")
    found = options(*[option(f"{first + timedelta(days=n):%Y-%m-%d}", 8000 + n) for n in range(days)])

    tree = tree_of(render.html(found))

    assert len(tree.findall("table")) == MAX_MONTHS
    assert [paragraph.text for paragraph in tree.findall("p")][1:] == ([more] if more else [])
    assert len(render.html(found)) < 10_000


def test_an_empty_calendar_says_so() -> None:
    assert render.html(options()) == "<p>no validities</p>"
    assert repr(options()) == "<ValidityOptions: 0, 0 bookable>"


def test_every_obstacle_has_a_text() -> None:
    assert set(OBSTACLES) == set(Obstacle)


def test_suggestions_are_a_table() -> None:
    found = suggested()

    rows = texts(render.html(found, currency=FRANCS))
    table = tree_of(render.html(found, currency=FRANCS))

    head = [cell.text for cell in table.iterfind(".//thead/tr/th")]
    assert head == ["Suggested for", "Validity", "Price (CHF)", "Units"]
    assert [cell.get("class") for cell in table.findall(".//tbody/tr[1]/*")] == ["text", "text", None, None]
    assert [row[:2] for row in rows] == [
        [own.suggestion.value.lower(), f"{own.option.validity.first_day:%-d %b %Y}"] for own in found.options
    ]
    assert {tuple(row[2:]) for row in rows} == {("80.00", "any number")}
    assert "the first begins today" in render.html(found)
    assert "the first begins tomorrow" in render.html(replace(found, days_until_next=1))
    assert "the first begins in 7 days" in render.html(replace(found, days_until_next=7))
    assert "Price (CHF)" in render.html(found)
    assert "Price (minor units)" in render.html(replace(found, currency=None))


def test_a_table_without_suggestions_says_so() -> None:
    found = SuggestedValidities(
        options=(), has_capacities=False, durations=(DAY,), days_until_next=None, mean_gap_days=None
    )

    assert tree_of(render.html(found)).findtext("table/caption") == "nothing can be booked"


@pytest.mark.parametrize("hours", [0, 2])
def test_a_suggestion_without_its_zone_is_shown_in_utc(hours: int) -> None:
    start = datetime(2026, 12, 27, 9, tzinfo=UTC).astimezone(timezone(timedelta(hours=hours)))
    units = (UnitOffer(ADULT, 8000, 3, None), UnitOffer(CHILD, 9000, 3, None))
    of_hours = ValidityOption(Interval(start, start + timedelta(hours=4)), HOURS, units, None)
    found = suggested()
    first = replace(found.options[0], option=of_hours)

    html = render.html(replace(found, options=(first,), currency=None))

    assert texts(html) == [["today", "27 Dec 2026, 09:00–13:00", "8000+", "3 left"]]
    assert tree_of(html).findtext("table/caption") == "the first begins today; +: others cost more"
