"""Days, places, prices and pages that contradict one another: each is told with its line and place."""

from __future__ import annotations

import pytest

from catalogue.bookable import BOOKABLE, line_of
from catalogue.samples import catalogue_faults, spoilt

CTA = "products[0].content.banner.cta"
RULES = "products[0].booking"
ADULT = "products[0].productVariants[0]"
STEPS = f"{ADULT}.steps"
TICKET_PRICES = f"{ADULT}.prices[1]"
BOTH = "expected two dates, or two days of every year"

CONTRADICTIONS = [
    # days
    ('from: "12-01"', 'from: "02-30"', "seasons[0].spans[0].from: there is no 02-30"),
    ('to: "04-30"', 'to: "00-10"', "seasons[0].spans[0].to: there is no 00-10"),
    (
        'to: "04-30"',
        "to: 2027-04-30",
        f"seasons[0].spans[0]: 12-01 to 2027-04-30: {BOTH}",
    ),
    (
        "to: 2027-02-14",
        "to: 2026-02-14",
        "seasons[1].spans[1]: 2026-02-14 is before 2027-02-01",
    ),
    ('on: "12-25"', 'on: "12-32"', "holidays[0].on: there is no 12-32"),
    ("on: easter+1", "on: easter+300", "holidays[1].on: expected -80 to 250 days from Easter, got 300"),
    ("identifier: events", "identifier: winter", "seasons[1].identifier: 'winter' is used twice"),
    (
        'dates: ["01-01"]',
        'dates: ["01-32"]',
        "pools[0].sizes[0].when.dates[0].from: there is no 01-32",
    ),
    (
        "when: {seasons: [events]",
        "when: {seasons: [autumn]",
        "pools[0].sizes[0].when.seasons: there is no season 'autumn'",
    ),
    (
        "when: {seasons: [winter]}",
        "when: {seasons: [fall]}",
        f"{RULES}.stays[0].when.seasons: there is no season 'fall'",
    ),
    (
        "seasons: [winter, events]",
        "seasons: [winter, fall]",
        f"{RULES}.seasons[1]: there is no season 'fall'",
    ),
    (
        "weekdays: [1], holidays: false",
        "seasons: [fall]",
        f"{RULES}.closed[0].seasons: there is no season 'fall'",
    ),
    (
        "when: {weekdays: [6]}",
        "when: {seasons: [fall]}",
        f"{TICKET_PRICES}.when.seasons: there is no season 'fall'",
    ),
    # pools
    ("identifier: car park", "identifier: mountain", "pools[2].identifier: 'mountain' is used twice"),
    (
        'from: "23:00", to: "00:00"',
        'from: "23:00", to: "10:30"',
        "pools[1].slots[1]: overlaps 10:00 to 12:30",
    ),
    ("{pool: mountain}", "{pool: valley}", "products[0].pools[0].pool: there is no pool 'valley'"),
    (
        "counting: FIRST_DAY}",
        "counting: FIRST_DAY}\n      - {pool: mountain}",
        "products[0].pools[2].pool: 'mountain' is used twice",
    ),
    (
        "uses: {mountain: 4",
        "uses: {first_variant: 4",
        f"{ADULT}.uses.first_variant: the product has no pool 'first_variant'",
    ),
    ("uses: {mountain: 4", "uses: {kind: 4", f"{ADULT}.uses.kind: the product has no pool 'kind'"),
    ("soldPool: mountain", "soldPool: valley", "products[0].soldPool: there is no pool 'valley'"),
    ("soldPool: mountain", "soldPool: sledge_run", "products[0].soldPool: pool 'sledge_run' has time slots"),
    # prices
    (
        "discountCard: 4, percent",
        "discountCard: 9, percent",
        "products[0].cardReductions[0].discountCard: there is no discount card 9",
    ),
    (
        "discountCard: 5, percent",
        "discountCard: 4, percent",
        "products[0].cardReductions[1].discountCard: 4 is used twice",
    ),
    ("ceiling: 99.5", "ceiling: 48.5", f"{STEPS}.ceiling: 4850 is below the floor 4900"),
    (
        "amount: 9}",
        "amount: 9, minSold: 1}",
        "products[1].productVariants[0].prices[0].minSold: does not go with price model CALENDAR",
    ),
    (
        "amount: 9}",
        "amount: 9, minLeadDays: 1}",
        "products[1].productVariants[0].prices[0].minLeadDays: does not go with price model CALENDAR",
    ),
    (
        "name: Sledge,",
        "name: Sledge, steps: {},",
        "products[1].productVariants[0].steps: does not go with price model CALENDAR",
    ),
    (
        "amount: 5}",
        "amount: 5, when: {weekdays: [1]}}",
        "products[2].productVariants[0].prices[0].when: does not go with price model STATIC",
    ),
    ("hasValidity: false", "soldPool: mountain", "products[2].soldPool: does not go with price model STATIC"),
    (
        "hasValidity: false",
        "degression: {percent: [100]}",
        "products[2].degression: does not go with price model STATIC",
    ),
    # booking
    ("maxDays: 2", "maxDays: 1", f"{RULES}.stays[0].maxDays: 1 is below the minimum 2"),
    ('"13:30"', '"09:00"', f"{RULES}.startTimes[1]: '09:00:00' is used twice"),
    ("maxLeadDays: 180", "maxLeadDays: 0", f"{RULES}.maxLeadDays: 0 is below the minimum 1"),
    ('at: "17:30", ', "", f"{RULES}.cutOff.daysBefore: needs a time of the day"),
    (
        "saleEnds: 2099-01-01T00:00:00Z",
        "saleEnds: 2026-08-01T00:00:00Z",
        f"{RULES}.saleEnds: 2026-08-01T00:00:00+00:00 is not after 2026-08-01T12:00:00+02:00",
    ),
    (
        "minutesBefore: 15",
        'at: "10:00", minutesBefore: 15',
        "products[1].booking.cutOff.minutesBefore: does not go with a time of the day",
    ),
    (
        "hasValidity: false",
        "hasValidity: false\n    pools: [{pool: mountain}]",
        "products[2].pools: the product has no validity",
    ),
    (
        "hasValidity: false",
        "hasValidity: false\n    booking: {minLeadDays: 1}",
        "products[2].booking.minLeadDays: the product has no validity",
    ),
    (
        "hasValidity: false",
        "hasValidity: false\n    priceModel: CALENDAR",
        "products[2].priceModel: the product has no validity",
    ),
    # content
    ("product: {slug: run}", "product: {slug: race}", f"{CTA}.product: there is no product at 'race'"),
    ("product: {slug: run}, ", "", f"{CTA}: expected one of product, page and link, got none"),
    (
        "product: {slug: run}",
        "product: {slug: run}, link: /run",
        f"{CTA}: expected one of product, page and link, got 2",
    ),
]


@pytest.mark.parametrize(("piece", "instead", "fault"), CONTRADICTIONS)
def test_contradiction_is_told_with_line_place_and_reason(piece: str, instead: str, fault: str) -> None:
    line = line_of(piece) + instead.count("\n")

    assert f"c:{line}: {fault}" in catalogue_faults(spoilt(BOOKABLE, piece, instead))
