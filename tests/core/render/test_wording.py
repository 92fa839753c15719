"""Labels of items, lines, dates, durations and instants."""

from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from faregate.checkout.model import CheckoutItem
from faregate.dates.durations import Duration
from faregate.dates.instants import parse_interval
from faregate.render.wording import (
    duration_label,
    instant_label,
    item_label,
    line_labels,
    month_label,
    printable,
    validity_label,
)
from faregate.translations import Text
from support.shops.small_shop import ADULT, CHILD, HALF_FARE, KEYCARD, LUNCH, SHOP, days

ZURICH = ZoneInfo("Europe/Zurich")
SANTIAGO = ZoneInfo("America/Santiago")


@pytest.mark.parametrize(
    ("start", "end", "zone", "label"),
    [
        ("2026-12-27", "2026-12-27", ZURICH, "27 Dec 2026"),
        ("2026-12-27", "2026-12-29", ZURICH, "27–29 Dec 2026"),
        ("2026-11-30", "2026-12-02", ZURICH, "30 Nov – 2 Dec 2026"),
        ("2026-12-30", "2027-01-02", ZURICH, "30 Dec 2026 – 2 Jan 2027"),
        ("2026-12-27T09:00", "2026-12-27T13:00", ZURICH, "27 Dec 2026, 09:00–13:00"),
        ("2026-12-27T00:00", "2026-12-27T13:00", ZURICH, "27 Dec 2026, 00:00–13:00"),
        ("2026-12-27T22:00", "2026-12-28T00:00", ZURICH, "27 Dec 2026, 22:00 – 28 Dec 2026, 00:00"),
        ("2026-12-27T22:00", "2026-12-28T02:00", ZURICH, "27 Dec 2026, 22:00 – 28 Dec 2026, 02:00"),
        ("2026-12-26T23:00Z", "2026-12-27T23:00Z", ZURICH, "27 Dec 2026"),
        ("2024-09-08", "2024-09-08", SANTIAGO, "8 Sep 2024"),
    ],
)
def test_validity_is_worded_as_days_or_as_hours(start: str, end: str, zone: ZoneInfo, label: str) -> None:
    assert validity_label(parse_interval(start, end, zone), zone) == label


def test_instant_is_shown_in_its_own_offset() -> None:
    assert instant_label(datetime(2026, 7, 1, 9, 5, tzinfo=ZURICH)) == "1 Jul 2026, 09:05 CEST"


@pytest.mark.parametrize(
    ("duration", "label"),
    [
        ("P1D", "1 day"),
        ("P14D", "14 days"),
        ("PT4H", "4 hours"),
        ("PT90M", "1 hour 30 minutes"),
        ("PT1S", "1 second"),
        ("P1M", "1 month"),
        ("P18M", "1 year 6 months"),
        ("P1DT2H", "1 day 2 hours"),
    ],
)
def test_duration_is_worded_exactly(duration: str, label: str) -> None:
    assert duration_label(Duration.parse(duration)) == label


def test_month_is_written_in_full() -> None:
    assert [month_label(date(2027, month, 5)) for month in (5, 12)] == ["May 2027", "December 2027"]


@pytest.mark.parametrize("hidden", ["\x1b", "\n", "\x00", "\x9b", "\u202e", "\u200b", "\udcff"])
def test_printable_text_has_no_control_or_hidden_characters(hidden: str) -> None:
    assert printable(f"Zoë · 1 –{hidden}2") == "Zoë · 1 –\N{REPLACEMENT CHARACTER}2"


EVE = days("2026-12-24", "2026-12-24")


@pytest.mark.parametrize(
    ("item", "label"),
    [
        (CheckoutItem(1, CHILD, EVE), "Day ticket · Child · 24 Dec 2026"),
        (
            CheckoutItem(1, ADULT, EVE, discount_card=HALF_FARE),
            "Day ticket · Adult · 24 Dec 2026 · Half-fare card",
        ),
        (CheckoutItem(1, LUNCH), "Lunch"),
    ],
)
def test_the_label_of_an_item_has_what_distinguishes_it(item: CheckoutItem, label: str) -> None:
    assert item_label(item, SHOP) == label


def test_a_translation_is_used_as_the_label() -> None:
    first, *others = SHOP.products
    adult, child = first.variants
    named = replace(
        first, translation=Text("Tageskarte"), variants=(replace(adult, translation=Text("Gross")), child)
    )
    catalogue = replace(SHOP, products=(named, *others))

    assert item_label(CheckoutItem(1, ADULT), catalogue) == "Tageskarte · Gross"
    assert item_label(CheckoutItem(1, CHILD), catalogue) == "Tageskarte · Child"


def test_the_label_of_a_line_is_that_of_its_first_item() -> None:
    items = [CheckoutItem(7, LUNCH), CheckoutItem(3, KEYCARD), CheckoutItem(9, LUNCH)]

    assert line_labels(items, [(7, 9), (3,)], SHOP) == {7: "Lunch", 3: "Keycard"}
