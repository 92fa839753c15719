"""Contradictory days, pools, prices and pages, reported with line and ``loc``."""

import pytest

from support.files.bookable import BOOKABLE, line_of
from support.files.samples import catalogue_faults, spoilt

ADULT = "products[0].productVariants[0]"

CONTRADICTIONS = [
    # days
    ('from: "12-01"', 'from: "02-30"', "seasons[0].spans[0].from: there is no 02-30"),
    # pools
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
]


@pytest.mark.parametrize(("piece", "instead", "fault"), CONTRADICTIONS)
def test_contradiction_is_reported_with_line_location_and_reason(
    piece: str, instead: str, fault: str
) -> None:
    line = line_of(piece) + instead.count("\n")

    assert f"c:{line}: {fault}" in catalogue_faults(spoilt(BOOKABLE, piece, instead))
