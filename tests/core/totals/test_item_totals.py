"""Totals of the items of a line, worked out by hand. Decisions §3.1, §4."""

from typing import Any

import pytest

from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.kinds import Absolute, AutomaticDiscount, FixedPrice, Percentage, PerUnit, PromoCode
from faregate.errors import InvalidLines
from faregate.tax.rates import GrossNet, VatLevel, VatRate
from faregate.totals.items import item_totals, unit_amounts
from faregate.totals.pipeline import LineTotals, checkout_totals
from support.baskets.totals_by_hand import LUNCH, NET, TICKETS, both_sides, figures
from support.shops.small_shop import UNTAXED, VAT


def items(count: int, price: int, *, rate: VatRate = UNTAXED, floor_price: int = 0) -> list[Line]:
    return [Line(key, price, 1, rate, floor_price=floor_price) for key in range(1, count + 1)]


def priced_items(entered: list[Line], **arguments: Any) -> tuple[LineTotals, ...]:
    joined = pricing_lines(entered)
    return item_totals(checkout_totals(joined.lines, **arguments), joined.members)


def test_a_line_is_shared_over_its_items_on_both_sides() -> None:
    ten_francs = PromoCode(code="TEN", kind=Absolute(1000))

    shared = priced_items(items(3, 1000, rate=VAT), promo_codes=[ten_francs])

    # 334, 333, 333 off. 20.00 include 1.50, 18.50 net: 616, 617, 617. 10.00 include 0.75, 9.25 net:
    # 308 each and one cent over, to the largest remainder of 308.97, 308.05, 308.05.
    assert [both_sides(item) for item in shared] == [
        (1000, 925, 334, 309, 666, 616),
        (1000, 925, 333, 308, 667, 617),
        (1000, 925, 333, 308, 667, 617),
    ]
    assert [(item.key, item.quantity) for item in shared] == [(1, 1), (2, 1), (3, 1)]
    assert [(item.rate, item.promo_code_discount) for item in shared] == [(VAT, 334), (VAT, 333), (VAT, 333)]


def test_a_free_item_has_its_automatic_discount_and_the_rest_by_code() -> None:
    per_unit = AutomaticDiscount(id=1, kind=PerUnit(100))
    free = PromoCode(code="FREE", kind=Percentage.percent(100))

    shared = priced_items(items(2, 1000, rate=VAT), automatic=[per_unit], promo_codes=[free])

    assert [both_sides(item) for item in shared] == [(1000, 925, 1000, 925, 0, 0)] * 2
    columns = "auto_discount_amount", "promo_code_discount"
    assert [(figures(item, *columns), item.auto_shares) for item in shared] == [((100, 900), ())] * 2


def test_the_only_item_of_a_line_has_the_figures_of_the_line() -> None:
    totals = checkout_totals([LUNCH])

    assert item_totals(totals, [(2,)]) == totals.lines
    assert item_totals(totals, [(7,)]) == (totals.lines[0]._replace(key=7),)


def test_there_are_items_for_every_line_and_no_others() -> None:
    for members in ([(1, 3)], [(1, 3), (2,), (4,)]):
        with pytest.raises(ValueError, match=r"^zip"):
            item_totals(checkout_totals([TICKETS, LUNCH]), members)


def test_with_net_prices_codes_are_shared_in_net() -> None:
    shared = priced_items(
        items(3, 100, rate=VAT), promo_codes=[PromoCode(code="A", kind=Absolute(100))], policy=NET
    )

    # 34, 33, 33 off. 16.2 on 200: 216 gross, split 71.35, 72.43 and 72.43.
    # 8.1 on 100: 108 gross, split 36.75, 35.67 and 35.67.
    assert [figures(item, "promo_code_discount", "total_net", "total_gross") for item in shared] == [
        (34, 66, 71),
        (33, 67, 73),
        (33, 67, 72),
    ]
    assert [item.total_discount_gross for item in shared] == [37, 36, 35]


def test_tax_rounded_per_unit_leaves_free_items_free() -> None:
    rule = AutomaticDiscount(id=1, kind=FixedPrice(0, 3))

    shared = priced_items(
        items(5, 26, rate=VatRate.percent(4)), automatic=[rule], policy=TotalsPolicy(vat_level=VatLevel.UNIT)
    )

    # 52 for five units is 10.4 each, whose tax of 0.4 is 0.
    assert [(item.total_gross, item.total_net) for item in shared] == [(0, 0)] * 3 + [(26, 26)] * 2


def test_items_are_in_ascending_order_of_id_within_each_line() -> None:
    adult, child = Line(1, 100, 1, UNTAXED, variant=1), Line(1, 50, 1, UNTAXED, variant=2)
    totals = checkout_totals([adult._replace(key=4, quantity=2), child._replace(key=1, quantity=2)])

    shared = item_totals(totals, [(9, 4), (3, 1)])

    assert [(item.key, item.total_gross) for item in shared] == [(4, 100), (9, 100), (1, 50), (3, 50)]


@pytest.mark.parametrize(("members", "count"), [([(1,)], 1), ([(1, 2, 3)], 3), ([()], 0)])
def test_a_line_has_as_many_items_as_units(members: list[tuple[int, ...]], count: int) -> None:
    totals = checkout_totals([TICKETS])

    with pytest.raises(InvalidLines, match=f"^line 1 has quantity 2 but {count} items$"):
        item_totals(totals, members)


def test_units_of_net_prices_have_their_share_of_the_gross_total() -> None:
    [line] = checkout_totals([Line(1, 1000, 3, VAT)], policy=NET).lines

    # A tax of 81 on each unit.
    assert unit_amounts(line, (), NET) == (GrossNet(1081, 1000),) * 3
