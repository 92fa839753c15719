"""List prices of a variant, and the duration of a validity. Decisions §3.8, §8.2."""

from dataclasses import replace

import pytest

from faregate.catalogue import PriceRule, Variant
from faregate.dates import Duration
from faregate.errors import InvalidPeriod, UnknownEntry
from faregate.pricing import duration_of, list_price
from unit.small_shop import DAY_TICKET, HALF_FARE, SEASON, VAT, ZURICH, days

DAY, THREE_DAYS = Duration(days=1), Duration(days=3)


def variant(*prices: PriceRule) -> Variant:
    return Variant(id=101, name="Adult", rate=VAT, prices=prices)


FULL = variant(
    PriceRule(1000),
    PriceRule(900, DAY),
    PriceRule(600, None, HALF_FARE),
    PriceRule(500, DAY, HALF_FARE),
)

# ---------------------------------------------------------------- list prices


@pytest.mark.parametrize(
    ("duration", "card", "price"),
    [
        (None, None, 1000),
        (DAY, None, 900),
        (THREE_DAYS, None, 1000),
        (None, HALF_FARE, 600),
        (DAY, HALF_FARE, 500),
        (THREE_DAYS, HALF_FARE, 600),
        (DAY, 6, 900),
        (THREE_DAYS, 6, 1000),
    ],
)
def test_the_price_for_the_card_and_then_for_the_duration_comes_first(
    duration: Duration | None, card: int | None, price: int
) -> None:
    for prices in (FULL.prices, FULL.prices[::-1]):
        assert list_price(replace(FULL, prices=prices), duration=duration, discount_card=card) == price


def test_a_price_for_the_card_beats_one_for_the_duration() -> None:
    by_card = variant(PriceRule(900, DAY), PriceRule(600, None, HALF_FARE))

    assert list_price(by_card, duration=DAY, discount_card=HALF_FARE) == 600


def test_a_card_without_a_price_of_its_own_pays_as_everybody() -> None:
    assert list_price(variant(PriceRule(900, DAY)), duration=DAY, discount_card=HALF_FARE) == 900


@pytest.mark.parametrize(
    ("prices", "duration", "card", "message"),
    [
        ((), None, None, "unknown price 'of variant 101 for any duration'"),
        ((), DAY, None, "unknown price 'of variant 101 for P1D'"),
        ((PriceRule(900, DAY),), THREE_DAYS, None, "unknown price 'of variant 101 for P3D'"),
        ((PriceRule(900, DAY),), None, None, "unknown price 'of variant 101 for any duration'"),
        ((PriceRule(500, DAY, HALF_FARE),), DAY, None, "unknown price 'of variant 101 for P1D'"),
        ((PriceRule(500, DAY, HALF_FARE),), DAY, 6, "unknown price 'of variant 101 for P1D'"),
    ],
)
def test_a_missing_price_is_an_error_and_never_nothing(
    prices: tuple[PriceRule, ...], duration: Duration | None, card: int | None, message: str
) -> None:
    with pytest.raises(UnknownEntry) as raised:
        list_price(variant(*prices), duration=duration, discount_card=card)

    assert str(raised.value) == message


# ---------------------------------------------------------------- durations


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


def test_the_first_duration_that_fits_is_taken() -> None:
    hours = replace(DAY_TICKET, durations=(Duration(seconds=86_400), DAY))

    assert duration_of(hours, days("2026-12-27", "2026-12-27"), ZURICH) == Duration(seconds=86_400)
    assert duration_of(hours, days("2026-03-29", "2026-03-29"), ZURICH) == DAY


def test_a_validity_of_another_length_is_refused_with_those_on_offer() -> None:
    with pytest.raises(InvalidPeriod) as raised:
        duration_of(DAY_TICKET, days("2026-12-27", "2026-12-28"), ZURICH)

    assert str(raised.value) == (
        "2026-12-27T00:00:00+01:00 to 2026-12-29T00:00:00+01:00 is none of: P1D, P3D"
    )


def test_a_product_without_durations_offers_none() -> None:
    with pytest.raises(InvalidPeriod, match=r" is none of: none$"):
        duration_of(SEASON, days("2026-12-27", "2026-12-27"), ZURICH)
