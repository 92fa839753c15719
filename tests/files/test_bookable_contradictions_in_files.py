"""Days, places, prices and pages that contradict one another: each is told with its line and place."""

from __future__ import annotations

import pytest

from support.files.bookable import BOOKABLE, line_of
from support.files.samples import catalogue_faults, spoilt

CTA = "products[0].content.banner.cta"
RULES = "products[0].booking"
ADULT = "products[0].productVariants[0]"

CONTRADICTIONS = [
    # days
    ('from: "12-01"', 'from: "02-30"', "seasons[0].spans[0].from: there is no 02-30"),
    ("identifier: events", "identifier: winter", "seasons[1].identifier: 'winter' is used twice"),
    (
        'dates: ["01-01"]',
        'dates: ["01-32"]',
        "pools[0].sizes[0].when.dates[0].from: there is no 01-32",
    ),
    # pools
    ("identifier: car park", "identifier: mountain", "pools[2].identifier: 'mountain' is used twice"),
    (
        'from: "23:00", to: "00:00"',
        'from: "23:00", to: "10:30"',
        "pools[1].slots[1]: overlaps 10:00 to 12:30",
    ),
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
    # prices
    (
        "discountCard: 5, percent",
        "discountCard: 4, percent",
        "products[0].cardReductions[1].discountCard: 4 is used twice",
    ),
    # booking
    ('"13:30"', '"09:00"', f"{RULES}.startTimes[1]: '09:00:00' is used twice"),
    # content
    ("product: {slug: run}, ", "", f"{CTA}: expected one of product, page and link, got none"),
]


@pytest.mark.parametrize(("piece", "instead", "fault"), CONTRADICTIONS)
def test_contradiction_is_told_with_line_place_and_reason(piece: str, instead: str, fault: str) -> None:
    line = line_of(piece) + instead.count("\n")

    assert f"c:{line}: {fault}" in catalogue_faults(spoilt(BOOKABLE, piece, instead))
