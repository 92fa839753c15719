"""Lines, items joined into lines, invalid lines, and the defaults of a policy. Decisions §3.1."""

from dataclasses import fields
from datetime import UTC
from enum import Enum
from typing import Any

import pytest

from faregate.basket.lines import Cart, Line, PricingLines, pricing_lines
from faregate.basket.policy import (
    AutomaticChoice,
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    SinglePurposeRest,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.dates.instants import Interval, parse_interval
from faregate.errors import InvalidLines
from faregate.tax.rates import Tie, VatLevel, VatRate
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import UNTAXED, VAT, ZURICH, days

ADULT = Line(
    key=1,
    unit_price=8000,
    quantity=1,
    rate=VAT,
    product=11,
    variant=101,
    validity=days("2026-12-27", "2026-12-27"),
)


@pytest.mark.parametrize(
    ("unit_price", "quantity", "list_price"), [(7900, 2, 15_800), (7900, 1, 7900), (0, 3, 0)]
)
def test_the_list_price_covers_all_units(unit_price: int, quantity: int, list_price: int) -> None:
    assert Line(1, unit_price, quantity, VAT).list_price == list_price


def test_by_default_a_line_is_discountable_counted_and_not_a_subscription() -> None:
    line = Line(1, 7900, 1, VAT)

    assert (line.discountable, line.counted, line.is_subscription) == (True, True, False)
    assert (line.floor_price, line.attributes, line.validity, line.discount_card) == (
        0,
        frozenset(),
        None,
        None,
    )
    assert (line.product, line.variant, line.category) == (None, None, None)


def test_equal_items_form_one_line_with_their_lowest_id() -> None:
    items = [ADULT._replace(key=key) for key in (7, 3, 5)]

    assert pricing_lines(items) == PricingLines((ADULT._replace(key=3, quantity=3),), ((3, 5, 7),))


@pytest.mark.parametrize(
    "other",
    [
        {"unit_price": 7900},
        {"rate": VatRate(parts_per_million=26_000)},
        {"product": 12},
        {"variant": 102},
        {"category": 2},
        {"attributes": frozenset({("age", "child")})},
        {"discount_card": 5},
        {"validity": days("2026-12-28", "2026-12-28")},
        {"validity": None},
        {"floor_price": 4000},
        {"discountable": False},
        {"counted": False},
        {"is_subscription": True},
    ],
    ids=lambda other: next(iter(other)),
)
def test_items_that_a_rule_could_distinguish_are_two_lines(other: dict[str, Any]) -> None:
    joined = pricing_lines([ADULT, ADULT._replace(key=2, **other), ADULT._replace(key=3)])

    assert joined.members == ((1, 3), (2,))
    assert [line.quantity for line in joined.lines] == [2, 1]


def test_items_valid_at_the_two_repeated_hours_are_two_lines() -> None:
    # The clocks go back from 03:00 to 02:00.
    first = parse_interval("2026-10-25T02:00+02:00", "2026-10-25T02:30+02:00", ZURICH)
    second = parse_interval("2026-10-25T02:00+01:00", "2026-10-25T02:30+01:00", ZURICH)

    joined = pricing_lines([ADULT._replace(validity=first), ADULT._replace(key=2, validity=second)])

    assert joined.members == ((1,), (2,))


def test_items_valid_at_the_same_instants_are_one_line_in_any_offset() -> None:
    local = days("2026-12-27", "2026-12-27")
    in_utc = Interval(local.start.astimezone(UTC), local.end.astimezone(UTC))

    joined = pricing_lines([ADULT._replace(validity=local), ADULT._replace(key=2, validity=in_utc)])

    assert joined.members == ((1, 2),)


def test_lines_are_in_ascending_order_of_id() -> None:
    child = ADULT._replace(variant=102)

    joined = pricing_lines([child._replace(key=9), ADULT._replace(key=4), child._replace(key=2)])

    assert joined.members == ((2, 9), (4,))
    assert [(line.key, line.variant) for line in joined.lines] == [(2, 102), (4, 101)]


def test_no_items_make_no_lines() -> None:
    assert pricing_lines([]) == PricingLines((), ())


@pytest.mark.parametrize(
    ("items", "faults"),
    [
        pytest.param([ADULT._replace(quantity=2)], ("item 1 has quantity 2, expected 1",), id="two units"),
        pytest.param(
            [ADULT._replace(quantity=0)], ("line 1: quantity is 0, expected at least 1",), id="no unit"
        ),
        pytest.param([ADULT, ADULT], ("item id 1 is used twice",), id="one id twice"),
        pytest.param(
            [ADULT, ADULT._replace(unit_price=1)], ("item id 1 is used twice",), id="one id for two items"
        ),
        pytest.param(
            [ADULT, ADULT._replace(quantity=3), ADULT._replace(key=2, quantity=4)],
            (
                "item 1 has quantity 3, expected 1",
                "item id 1 is used twice",
                "item 2 has quantity 4, expected 1",
            ),
            id="all at once",
        ),
    ],
)
def test_items_are_single_units_with_an_id_each(items: list[Line], faults: tuple[str, ...]) -> None:
    with pytest.raises(InvalidLines) as raised:
        pricing_lines(items)

    assert raised.value.messages == faults


@pytest.mark.parametrize(
    ("other", "fault"),
    [
        ({"unit_price": -1}, "line 1: unit_price is -1, expected at least 0"),
        ({"quantity": 0}, "line 1: quantity is 0, expected at least 1"),
        ({"floor_price": -1}, "line 1: floor_price is -1, expected at least 0"),
        ({"unit_price": 79.0}, "line 1: unit_price is a float, expected int"),
        ({"unit_price": None}, "line 1: unit_price is a NoneType, expected int"),
        ({"quantity": 1.0}, "line 1: quantity is a float, expected int"),
        ({"floor_price": 0.5}, "line 1: floor_price is a float, expected int"),
        ({"rate": 0.081}, "line 1: rate is a float, expected VatRate"),
    ],
)
def test_a_line_that_cannot_be_priced_is_named(other: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidLines) as raised:
        checkout_totals([Line(1, 7900, 2, VAT)._replace(**other), Line(2, 100, 1, UNTAXED)])

    assert raised.value.messages == (fault,)


def test_every_issue_of_every_line_is_listed() -> None:
    lines = [Line(2, -1, 0, VAT), Line(2, 100, 1, VAT), Line(1, 100, 1, VAT, floor_price=-5)]

    with pytest.raises(InvalidLines) as raised:
        checkout_totals(lines)

    assert raised.value.messages == (
        "line 2: unit_price is -1, expected at least 0",
        "line 2: quantity is 0, expected at least 1",
        "line 2: the key is used twice",
        "line 1: floor_price is -5, expected at least 0",
    )


@pytest.mark.parametrize("keys", [(1, 1), (2, 1, 2)])
def test_a_duplicate_key_is_refused(keys: tuple[int, ...]) -> None:
    twice = max(set(keys), key=keys.count)

    with pytest.raises(InvalidLines, match=f"^line {twice}: the key is used twice$"):
        checkout_totals([Line(key, 100, 1, VAT) for key in keys])


def test_keys_that_cannot_be_sorted_are_named() -> None:
    lines = [Line(1, 100, 1, VAT), Line("two", 100, 1, VAT)]  # type: ignore[arg-type]

    with pytest.raises(InvalidLines, match=r"^line 'two': the key is a str, expected int$"):
        checkout_totals(lines)


def test_a_floor_above_the_price_is_valid() -> None:
    assert checkout_totals([Line(1, 100, 1, UNTAXED, floor_price=500)]).total_gross == 100


def test_no_lines_make_an_empty_cart() -> None:
    assert Cart.of([]) == Cart([], [], [], [], {}, [], None, range(0), range(0), ())


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (PriceBasis, ["gross", "net"]),
        (VatLevel, ["rate", "line", "unit"]),
        (Tie, ["tax", "net"]),
        (AutomaticChoice, ["unit", "line"]),
        (Stacking, ["sequential", "additive"]),
        (CodeOrder, ["ranked", "as_entered", "best"]),
        (PercentRounding, ["discount", "price"]),
        (ThresholdBase, ["after_auto", "list", "running"]),
        (Fairness, ["customer", "merchant"]),
        (SinglePurposeRest, ["keep", "refuse"]),
        (SubscriptionBasis, ["first_period", "recurring"]),
    ],
)
def test_options_have_the_names_and_order_of_the_decisions(kind: type[Enum], names: list[str]) -> None:
    assert [member.value for member in kind] == names


def test_the_first_of_each_option_is_the_default() -> None:
    policy = TotalsPolicy()
    chosen = [getattr(policy, field.name) for field in fields(policy)]
    options = [choice for choice in chosen if isinstance(choice, Enum)]

    assert [next(iter(type(choice))) for choice in options] == options
    assert len(options) == 11


def test_vouchers_leave_the_donation_alone_and_cash_is_not_rounded_by_default() -> None:
    assert TotalsPolicy().vouchers_pay_donation is False
    assert TotalsPolicy().cash_increment == 1
