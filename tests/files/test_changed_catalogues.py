"""A catalogue with one change is the one made anew, or is refused with the same issues."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.catalogue.calendars import DayPattern, MonthDay, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Variant
from faregate.dates.durations import Duration
from faregate.discounts.kinds import BuyXGetY, Conditions, PerUnit, PromoCode, Scope, Threshold
from faregate.errors import InvalidCatalogue, UnknownEntry
from faregate.files import demo_catalogue

DEMO = demo_catalogue()
VARIANTS = [variant for product in DEMO.products for variant in product.variants]


def outcome(make: Callable[[], Catalogue]) -> object:
    """Return the catalogue, or the issues with which it is refused."""
    try:
        return make()
    except InvalidCatalogue as error:
        return error.issues or str(error)


def some(known: list[int], *, odd: int) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.sampled_from([*known[:3], odd]), max_size=2)


SCOPES = st.builds(
    Scope,
    products=some([product.id for product in DEMO.products], odd=9999),
    variants=some([variant.id for variant in VARIANTS], odd=9998),
    categories=some([category.id for category in DEMO.categories], odd=9997),
    discount_cards=some([card.id for card in DEMO.discount_cards], odd=9996),
)
PROMO_CODES = st.builds(
    PromoCode,
    code=st.sampled_from(["new", DEMO.promo_codes[0].code, DEMO.promo_codes[-1].code, DEMO.vouchers[0].code]),
    kind=st.just(PerUnit(100)) | st.builds(BuyXGetY, st.just(2), st.just(1), rewards=SCOPES),
    scope=SCOPES,
    conditions=st.builds(
        Conditions,
        channels=st.frozensets(st.sampled_from([DEMO.channels[0].uuid, "gone"]), max_size=1),
        thresholds=st.just(()) | st.tuples(st.builds(Threshold, st.just(1), counting=SCOPES)),
    ),
)
NO_DAY = Span(MonthDay(2, 30), MonthDay(3, 1))
BACKWARDS = Span(date(2027, 1, 2), date(2027, 1, 1))
PATTERNS = st.builds(
    DayPattern,
    seasons=st.frozensets(st.sampled_from([DEMO.calendar.seasons[0].identifier, "monsoon"]), max_size=1),
    weekdays=st.frozensets(st.sampled_from([1, 7, 8]), max_size=2),
    dates=st.sampled_from([(), (NO_DAY,), (BACKWARDS,)]),
)
PRICES = st.builds(
    PriceRule,
    amount=st.sampled_from([0, 5000, -1]),
    duration=st.sampled_from([None, Duration(days=1), Duration(days=77)]),
    discount_card=st.sampled_from([None, DEMO.discount_cards[0].id, 9996]),
    when=st.just(DayPattern()) | PATTERNS,
    min_lead_days=st.sampled_from([0, 14, -1]),
    min_sold=st.sampled_from([0, 100]),
)


@given(PROMO_CODES)
def test_a_changed_promo_code_gives_the_same_as_a_new_catalogue(promo_code: PromoCode) -> None:
    codes = {own.code: own for own in DEMO.promo_codes} | {promo_code.code: promo_code}

    changed = outcome(lambda: DEMO.with_promo_code(promo_code))

    assert changed == outcome(lambda: replace(DEMO, promo_codes=tuple(codes.values())))
    if isinstance(changed, Catalogue):
        assert [changed.promo_code(code) for code in codes] == [*codes.values()]


def priced(variant: Variant, prices: list[PriceRule]) -> Catalogue:
    """Return the demo made anew with other *prices* of a variant."""
    return replace(
        DEMO,
        products=tuple(
            replace(
                product,
                variants=tuple(
                    replace(own, prices=tuple(prices)) if own is variant else own for own in product.variants
                ),
            )
            for product in DEMO.products
        ),
    )


@given(st.sampled_from(VARIANTS), st.lists(PRICES, max_size=3))
def test_changed_prices_give_the_same_as_a_new_catalogue(variant: Variant, prices: list[PriceRule]) -> None:
    changed = outcome(lambda: DEMO.with_prices(variant.id, prices))

    anew = outcome(lambda: priced(variant, prices))
    assert changed == anew
    if isinstance(changed, Catalogue) and isinstance(anew, Catalogue):
        product, found = changed.variant(variant.id)
        assert (product, found) == anew.variant(variant.id)
        assert changed.product(product.id) is changed.product_at(product.slug) is product


def test_gates_use_the_new_prices() -> None:
    ids, variant = next((ids, point.variant) for ids, point in DEMO._access_points.items())

    changed = DEMO.with_prices(variant.id, [PriceRule(4200)])

    point = changed.access_point(ids)
    assert point is not None
    assert point.variant.prices == (PriceRule(4200),)
    assert changed._access_points == replace(changed)._access_points
    assert DEMO.variant(variant.id)[1] is variant  # the original has not changed


def test_unknown_variants_and_wrong_types_are_refused() -> None:
    with pytest.raises(UnknownEntry):
        DEMO.with_prices(9998, [])
    with pytest.raises(InvalidCatalogue, match="promo_codes contains 'TEN', expected PromoCode"):
        DEMO.with_promo_code("TEN")  # type: ignore[arg-type]
    with pytest.raises(InvalidCatalogue, match="prices contains 4200, expected PriceRule"):
        DEMO.with_prices(VARIANTS[0].id, [4200])  # type: ignore[list-item]
