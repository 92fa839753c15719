"""Days of use, blackouts and held units in a catalogue file."""

from pathlib import Path

import pytest

from faregate.catalogue.booking_rules import BookingRules, DaysOfUse
from faregate.catalogue.calendars import DayPattern
from faregate.dates.durations import Duration
from faregate.errors import InvalidCatalogue
from faregate.files import load_catalogue

SHOP = """
currency: CHF
merchants: [{identifier: lifts, timezone: Europe/Zurich}]
categories: [{id: 1, name: Tickets}]
pools: [{identifier: mountain, size: 100}]
products:
  - id: 11
    slug: week
    identifier: WEEK
    name: Week
    type: TICKET
    category: 1
    merchant: lifts
    priceModel: STEPPED
    durations: [P7D, P4M]
    pools: [{pool: mountain, counting: FIRST_DAY}]
    soldPool: mountain
    countsHolds: true
    booking:
      blackouts: [{weekdays: [1], holidays: false}]
      daysOfUse: [{duration: P7D, days: 5}]
    productVariants:
      - id: 101
        name: Adult
        vatRate: 8.1
        prices: [{amount: 290, duration: P7D}, {amount: 690, duration: P4M}]
"""


def test_days_of_use_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "week.yaml"
    path.write_text(SHOP, "utf-8")

    product = load_catalogue(path).product(11)

    assert product.counts_holds
    assert product.booking == BookingRules(
        blackouts=(DayPattern(weekdays=frozenset({1}), is_holiday=False),),
        days_of_use=(DaysOfUse(Duration(days=7), 5),),
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("days: 5", "days: 0", "days: expected at least 1, got 0"),
        (
            "{amount: 690, duration: P4M}",
            "{amount: 99}",
            "prices: expected a price for P4M without other conditions",
        ),
    ],
)
def test_faults_of_days_of_use_name_their_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "week.yaml"
    path.write_text(SHOP.replace(old, new), "utf-8")

    with pytest.raises(InvalidCatalogue) as refused:
        load_catalogue(path)

    assert message in str(refused.value)
