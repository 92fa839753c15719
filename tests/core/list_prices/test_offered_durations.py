"""The duration of a validity among those of its product. Decisions §8.2."""

from dataclasses import replace

import pytest

from faregate.dates.durations import Duration
from faregate.errors import InvalidPeriod
from faregate.list_prices.price import duration_of
from support.shops.price_lists import DAY, THREE_DAYS
from support.shops.small_shop import DAY_TICKET, SEASON, ZURICH, days


@pytest.mark.parametrize(
    ("first", "last", "duration"),
    [
        ("2026-12-27", "2026-12-27", DAY),
        ("2026-12-27", "2026-12-29", THREE_DAYS),
        ("2026-03-29", "2026-03-29", DAY),
    ],
)
def test_a_validity_has_one_of_the_durations_of_its_product(
    first: str, last: str, duration: Duration
) -> None:
    assert duration_of(DAY_TICKET, days(first, last), ZURICH) == duration


def test_the_first_duration_that_fits_is_used() -> None:
    hours = replace(DAY_TICKET, durations=(Duration(seconds=86_400), DAY))

    assert duration_of(hours, days("2026-12-27", "2026-12-27"), ZURICH) == Duration(seconds=86_400)
    assert duration_of(hours, days("2026-03-29", "2026-03-29"), ZURICH) == DAY


def test_a_validity_of_another_length_is_refused_with_the_offered_ones() -> None:
    with pytest.raises(InvalidPeriod) as raised:
        duration_of(DAY_TICKET, days("2026-12-27", "2026-12-28"), ZURICH)

    assert str(raised.value) == (
        "2026-12-27T00:00:00+01:00 to 2026-12-29T00:00:00+01:00 has none of the product's durations: P1D, P3D"
    )


def test_a_product_without_durations_offers_none() -> None:
    with pytest.raises(InvalidPeriod, match=r" has none of the product's durations: none$"):
        duration_of(SEASON, days("2026-12-27", "2026-12-27"), ZURICH)
