"""Pricing a checkout from a catalogue built by hand. Decisions §3.8, §6, §8.1, §11.3, §11.7."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from faregate.catalogue import Catalogue, PriceRule, ProductType
from faregate.checkout_inputs import Checkout, CheckoutConditions, CheckoutItem
from faregate.checkout_pricing import PricedCheckout, price_checkout
from faregate.dates import DateRange, Interval
from faregate.discounts import (
    Absolute,
    AutomaticDiscount,
    Conditions,
    Level,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.eligibility import Missing, Reason
from faregate.errors import (
    FaregateError,
    InvalidAmount,
    InvalidCheckout,
    InvalidLines,
    UnknownEntry,
)
from faregate.policy import PriceBasis, TotalsPolicy
from faregate.stacking import RejectedCode
from faregate.vouchers import Voucher
from unit.small_shop import (
    ADULT,
    CHILD,
    DAY_TICKET,
    HALF_FARE,
    INSURANCE,
    KEYCARD,
    LUNCH,
    NOW,
    RENTAL,
    SEASON_PASS,
    SHOP,
    WEB,
    ZURICH,
    days,
)

SUNDAY = days("2026-12-27", "2026-12-27")


def priced(
    *items: CheckoutItem,
    codes: tuple[str, ...] = (),
    catalogue: Catalogue = SHOP,
    channel: str = "web",
    at: datetime = NOW,
    donation: int = 0,
    account: int | None = None,
) -> PricedCheckout:
    checkout = Checkout(channel, items, codes, CheckoutConditions(donation=donation or None), account)
    return price_checkout(checkout, catalogue=catalogue, at=at)


def adult(number: int, validity: Interval | None = SUNDAY) -> CheckoutItem:
    return CheckoutItem(number, ADULT, validity)


def selling(rule: AutomaticDiscount) -> Catalogue:
    return replace(SHOP, automatic_discounts=(rule,))


def accepting(*codes: PromoCode) -> Catalogue:
    return replace(SHOP, promo_codes=codes)


# ---------------------------------------------------------------- prices from the catalogue


@pytest.mark.parametrize(
    ("item", "gross"),
    [
        pytest.param(adult(1), 8000, id="a day"),
        pytest.param(adult(1, days("2026-12-27", "2026-12-29")), 21_000, id="three days"),
        pytest.param(adult(1, days("2026-03-29", "2026-03-29")), 8000, id="a day of 23 hours"),
        pytest.param(CheckoutItem(1, ADULT, SUNDAY, discount_card=HALF_FARE), 4000, id="half fare"),
        pytest.param(
            CheckoutItem(1, CHILD, SUNDAY, discount_card=HALF_FARE), 4000, id="no price for the card"
        ),
        pytest.param(CheckoutItem(1, LUNCH), 1500, id="without a validity"),
        pytest.param(CheckoutItem(1, KEYCARD), 500, id="a fee"),
    ],
)
def test_an_item_costs_what_the_catalogue_says(item: CheckoutItem, gross: int) -> None:
    result = priced(item)

    assert [item.total_gross for item in result.items] == [gross]
    assert result.totals.total_gross == gross


def test_items_are_answered_in_the_order_of_the_checkout_and_lines_in_ascending_id() -> None:
    result = priced(adult(9), CheckoutItem(4, LUNCH), adult(2))

    assert [item.key for item in result.items] == [9, 4, 2]
    assert result.members == ((2, 9), (4,))
    assert [(line.key, line.quantity) for line in result.totals.lines] == [(2, 2), (4, 1)]


def test_a_checkout_comes_with_what_was_asked_and_its_channel() -> None:
    result = priced(adult(1), channel="desk")

    assert result.checkout == Checkout("desk", (adult(1),))
    assert result.channel is SHOP.channels[1]


def test_an_empty_checkout_costs_its_donation() -> None:
    result = priced(donation=200)

    assert (result.items, result.members, result.totals.total_gross) == ((), (), 200)


def test_the_channel_says_how_it_computes() -> None:
    catalogue = replace(
        SHOP, channels=(replace(WEB, policy=TotalsPolicy(price_basis=PriceBasis.NET, cash_increment=5)),)
    )

    totals = priced(adult(1), catalogue=catalogue).totals

    # 6.48 on 80.00
    assert (totals.total_net, totals.total_gross, totals.cash_due) == (8000, 8648, 8650)


def test_a_subscription_is_counted_as_one() -> None:
    totals = priced(CheckoutItem(1, SEASON_PASS), CheckoutItem(2, LUNCH)).totals

    assert (totals.total_subscription_gross, totals.total_gross) == (60_000, 61_500)


# ---------------------------------------------------------------- what lines know


@pytest.mark.parametrize(
    ("scope", "keys"),
    [
        (Scope(products=frozenset({11})), {1, 2}),
        (Scope(variants=frozenset({CHILD})), {2}),
        (Scope(categories=frozenset({2})), {3}),
        (Scope(attributes=frozenset({("age", "adult")})), {1}),
        (Scope(discount_cards=frozenset({HALF_FARE})), {1}),
        (Scope(weekdays=frozenset({7})), {1}),
        (Scope(days=DateRange(date(2026, 12, 28), date(2026, 12, 29))), {2}),
        (Scope(min_lead_days=7), {2}),
        (Scope(), {1, 2, 3}),
    ],
)
def test_a_discount_selects_by_what_the_catalogue_knows(scope: Scope, keys: set[int]) -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(100, Level.LINE), scope=scope)
    items = (
        CheckoutItem(1, ADULT, SUNDAY, discount_card=HALF_FARE),
        CheckoutItem(2, CHILD, days("2026-12-28", "2026-12-28")),
        CheckoutItem(3, LUNCH),
        CheckoutItem(4, INSURANCE, parent=3),
        CheckoutItem(5, KEYCARD),
    )

    result = priced(*items, catalogue=selling(rule))

    assert {item.key for item in result.items if item.auto_discount_amount} == keys


def test_fees_are_neither_discounted_nor_counted() -> None:
    minimum = Conditions(thresholds=(Threshold(spend=9000, quantity=3),))
    catalogue = accepting(PromoCode(code="ALL", kind=Percentage.percent(100), conditions=minimum))

    def all_off(*items: CheckoutItem) -> tuple[bool, int]:
        totals = priced(*items, codes=("ALL",), catalogue=catalogue).totals
        return totals.promo_codes[0].valid, totals.total_gross

    assert all_off(adult(1), CheckoutItem(2, LUNCH), CheckoutItem(3, KEYCARD)) == (False, 10_000)
    assert all_off(adult(1), CheckoutItem(2, LUNCH), CheckoutItem(3, LUNCH), CheckoutItem(4, KEYCARD)) == (
        True,
        500,
    )


def test_what_is_never_discounted_still_counts() -> None:
    minimum = Conditions(thresholds=(Threshold(spend=2000),))
    catalogue = accepting(PromoCode(code="ALL", kind=Percentage.percent(100), conditions=minimum))

    totals = priced(
        CheckoutItem(1, LUNCH), CheckoutItem(2, INSURANCE, parent=1), codes=("ALL",), catalogue=catalogue
    ).totals

    assert totals.promo_codes[0].valid
    assert totals.total_gross == 500


def test_a_floor_price_of_the_catalogue_holds() -> None:
    catalogue = accepting(PromoCode(code="HALF", kind=Percentage.percent(50)))

    result = priced(CheckoutItem(1, CHILD, SUNDAY), codes=("HALF",), catalogue=catalogue)

    assert result.items[0].total_gross == 3000


@pytest.mark.parametrize(("account", "valid"), [(7, True), (8, False), (None, False)])
def test_the_account_of_the_checkout_is_that_of_the_conditions(account: int | None, *, valid: bool) -> None:
    catalogue = accepting(
        PromoCode(code="MINE", kind=Absolute(100), conditions=Conditions(accounts=frozenset({7})))
    )

    (code,) = priced(adult(1), codes=("MINE",), catalogue=catalogue, account=account).totals.promo_codes

    assert code.valid is valid


@pytest.mark.parametrize(("channel", "valid"), [("web", True), ("desk", False)])
def test_the_channel_of_the_checkout_is_that_of_the_conditions(channel: str, *, valid: bool) -> None:
    catalogue = accepting(
        PromoCode(code="WEB", kind=Absolute(100), conditions=Conditions(channels=frozenset({"web"})))
    )

    (code,) = priced(adult(1), codes=("WEB",), catalogue=catalogue, channel=channel).totals.promo_codes

    assert code.valid is valid


# ---------------------------------------------------------------- the local day

# Half past midnight on the 22nd in Zurich is still the 21st in UTC.
AFTER_MIDNIGHT = datetime(2026, 12, 22, 0, 30, tzinfo=ZURICH)


@pytest.mark.parametrize("at", [AFTER_MIDNIGHT, AFTER_MIDNIGHT.astimezone(UTC)], ids=["local", "UTC"])
def test_lead_days_count_from_the_local_date_however_the_instant_is_given(at: datetime) -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(100, Level.LINE), scope=Scope(min_lead_days=6))

    # From the 22nd to the 27th there are five days.
    assert priced(adult(1), catalogue=selling(rule), at=at).totals.auto_discount_amount == 0


@pytest.mark.parametrize("at", [AFTER_MIDNIGHT, AFTER_MIDNIGHT.astimezone(UTC)], ids=["local", "UTC"])
def test_the_weekday_of_the_order_is_local_however_the_instant_is_given(at: datetime) -> None:
    tuesday = Conditions(weekdays=frozenset({2}))
    rule = AutomaticDiscount(id=1, kind=Absolute(100, Level.LINE), conditions=tuesday)

    assert priced(adult(1), catalogue=selling(rule), at=at).totals.auto_discount_amount == 100


IN_UTC = Interval(SUNDAY.start.astimezone(UTC), SUNDAY.end.astimezone(UTC))


def test_the_weekday_of_the_visit_is_local_however_the_validity_is_given() -> None:
    sundays = AutomaticDiscount(id=1, kind=Absolute(100, Level.LINE), scope=Scope(weekdays=frozenset({7})))

    assert priced(adult(1, IN_UTC), catalogue=selling(sundays)).totals.auto_discount_amount == 100


@pytest.mark.parametrize(
    "given",
    [SUNDAY, IN_UTC, Interval(SUNDAY.start, IN_UTC.end), Interval(IN_UTC.start, SUNDAY.end)],
    ids=["local", "UTC", "local start", "local end"],
)
def test_a_validity_is_priced_in_the_zone_of_the_merchant(given: Interval) -> None:
    (line,) = priced(adult(1, given)).totals.request.lines

    assert line.validity == SUNDAY
    assert line.validity is not None
    assert (line.validity.start.tzinfo, line.validity.end.tzinfo) == (ZURICH, ZURICH)


def test_what_costs_the_same_in_every_period_has_no_price_of_its_own_for_later_ones() -> None:
    (line,) = priced(CheckoutItem(1, SEASON_PASS)).totals.request.lines

    assert line.is_subscription
    assert line.recurring_price is None


def test_one_validity_is_one_line_however_it_is_given() -> None:
    assert priced(adult(1), adult(2, IN_UTC)).members == ((1, 2),)


def test_an_instant_without_offset_is_refused_rather_than_read_in_the_zone_of_the_machine() -> None:
    naive = datetime(2026, 12, 21, 9, 0)  # noqa: DTZ001  the point of the test

    with pytest.raises(FaregateError, match="lacks its offset"):
        priced(adult(1), at=naive)


def test_a_validity_without_offset_is_refused_rather_than_read_in_the_zone_of_the_machine() -> None:
    naive = Interval(datetime(2026, 12, 27), datetime(2026, 12, 28))  # noqa: DTZ001  the point of the test

    with pytest.raises(InvalidCheckout, match=r"^item 1: .*lacks its offset"):
        priced(adult(1, naive))


# ---------------------------------------------------------------- codes


def test_a_code_is_a_promo_code_a_voucher_or_unknown() -> None:
    totals = priced(adult(1), codes=(" gift", "nobody", "Ten")).totals

    unknown, ten = totals.promo_codes
    assert unknown == RejectedCode(UnknownCode("NOBODY"), Reason.UNKNOWN)
    assert (ten.code, ten.total_amount) == ("TEN", 800)
    assert [(paid.voucher.code, paid.amount) for paid in totals.vouchers] == [("GIFT", 2000)]
    assert totals.amount_due == 8000 - 800 - 2000


def test_a_code_entered_twice_counts_once() -> None:
    totals = priced(adult(1), codes=("TEN", "gift", " ten ", "GIFT", "nobody", "NOBODY")).totals

    assert [code.code for code in totals.promo_codes] == ["TEN", "NOBODY"]
    assert [paid.voucher.code for paid in totals.vouchers] == ["GIFT"]


def test_a_code_that_is_both_is_a_promo_code_first() -> None:
    catalogue = replace(SHOP, vouchers=(Voucher(code="TEN", balance=5000),))

    totals = priced(adult(1), codes=("TEN",), catalogue=catalogue).totals

    assert [code.code for code in totals.promo_codes] == ["TEN"]
    assert totals.vouchers == ()


def test_a_code_that_does_not_apply_now_is_kept_with_what_is_missing() -> None:
    minimum = Conditions(thresholds=(Threshold(spend=10_000),))
    code = PromoCode(code="BIG", kind=Absolute(1000), conditions=minimum)

    result = priced(adult(1), codes=("big",), catalogue=accepting(code))

    assert result.totals.promo_codes == (RejectedCode(code, Reason.MINIMUM_NOT_REACHED, Missing(spend=2000)),)


# ---------------------------------------------------------------- what cannot be sold

PERISHED = replace(DAY_TICKET, id=12, variants=(replace(DAY_TICKET.variants[0], id=199, prices=()),))


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        pytest.param([CheckoutItem(1, 999)], "item 1: unknown variant 999", id="no such variant"),
        pytest.param([CheckoutItem(1, ADULT)], "item 1: product 11 needs a validity", id="no validity"),
        pytest.param(
            [CheckoutItem(1, LUNCH, SUNDAY)], "item 1: product 21 has no validity", id="a validity too much"
        ),
        pytest.param(
            [adult(1, days("2026-12-27", "2026-12-28"))],
            "item 1: 2026-12-27T00:00:00+01:00 to 2026-12-29T00:00:00+01:00 is none of: P1D, P3D",
            id="two days",
        ),
        pytest.param(
            [CheckoutItem(1, RENTAL)], "item 1: product 51 is sold in EUR, not CHF", id="another currency"
        ),
        pytest.param(
            [CheckoutItem(1, INSURANCE)], "item 1: product 31 is only sold with another item", id="alone"
        ),
        pytest.param(
            [adult(1), CheckoutItem(2, LUNCH, parent=3)],
            "item 2: there is no parent item 3",
            id="no such parent",
        ),
        pytest.param(
            [CheckoutItem(2, LUNCH, parent=2)], "item 2: its parents form a circle", id="a parent of its own"
        ),
        pytest.param(
            [CheckoutItem(1, LUNCH, parent=2), CheckoutItem(2, LUNCH, parent=3)],
            "item 2: there is no parent item 3",
            id="no such grandparent",
        ),
        pytest.param(
            [CheckoutItem(1, LUNCH, discount_card=6)], "item 1: unknown discount card 6", id="no such card"
        ),
        pytest.param(
            [CheckoutItem(1, 199, SUNDAY)], "item 1: unknown price 'of variant 199 for P1D'", id="no price"
        ),
    ],
)
def test_an_item_that_cannot_be_sold_says_why(items: list[CheckoutItem], fault: str) -> None:
    catalogue = replace(SHOP, products=(*SHOP.products, PERISHED))

    with pytest.raises(InvalidCheckout) as raised:
        priced(*items, catalogue=catalogue)

    assert raised.value.faults == (fault,)


def test_a_product_that_the_channel_does_not_sell_is_refused() -> None:
    with pytest.raises(InvalidCheckout) as raised:
        priced(CheckoutItem(1, LUNCH), channel="desk")

    assert raised.value.faults == ("item 1: product 21 is not sold on channel Ticket desk",)


def test_all_items_that_cannot_be_sold_are_told_at_once() -> None:
    with pytest.raises(InvalidCheckout) as raised:
        priced(
            CheckoutItem(1, 999), adult(2), CheckoutItem(3, LUNCH, SUNDAY), CheckoutItem(4, LUNCH, parent=9)
        )

    assert raised.value.faults == (
        "item 4: there is no parent item 9",
        "item 1: unknown variant 999",
        "item 3: product 21 has no validity",
    )


def test_items_are_not_each_others_parents() -> None:
    with pytest.raises(InvalidCheckout) as raised:
        priced(CheckoutItem(1, INSURANCE, parent=2), CheckoutItem(2, INSURANCE, parent=1))

    assert raised.value.faults == (
        "item 1: its parents form a circle",
        "item 2: its parents form a circle",
    )


def test_a_child_may_have_children() -> None:
    chain = [adult(1), CheckoutItem(2, LUNCH, parent=1), CheckoutItem(3, INSURANCE, parent=2)]

    assert priced(*chain).totals.total_gross == 10_000


def test_a_parent_may_stand_after_its_child() -> None:
    assert len(priced(CheckoutItem(1, INSURANCE, parent=2), adult(2)).items) == 2


def test_a_parent_changes_no_price_and_no_line() -> None:
    result = priced(adult(1), CheckoutItem(2, LUNCH, parent=1), CheckoutItem(3, LUNCH))

    assert result.members == ((1,), (2, 3))


def test_a_product_of_a_merchant_that_is_not_there_is_refused() -> None:
    catalogue = replace(SHOP, merchants=())

    with pytest.raises(InvalidCheckout, match=r"^item 1: unknown merchant 'lifts'$"):
        priced(adult(1), catalogue=catalogue)


def test_a_channel_that_is_not_there_is_unknown() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown channel 'nowhere'$"):
        priced(adult(1), channel="nowhere")


def test_an_id_is_that_of_one_item() -> None:
    with pytest.raises(InvalidLines, match=r"^item id 1 is used twice$"):
        priced(adult(1), CheckoutItem(1, LUNCH))


def test_a_negative_donation_is_refused() -> None:
    with pytest.raises(InvalidAmount, match=r"^donation is -1, expected an int of at least 0$"):
        priced(adult(1), donation=-1)


def test_the_currency_of_a_merchant_matters_only_to_what_it_sells() -> None:
    franc_rental = replace(SHOP, merchants=(SHOP.merchants[0], SHOP.merchants[1]._replace(currency="CHF")))

    assert priced(CheckoutItem(1, RENTAL), catalogue=franc_rental).totals.total_gross == 3000


def test_a_price_of_nothing_is_a_price() -> None:
    free = replace(
        DAY_TICKET,
        variants=(replace(DAY_TICKET.variants[0], prices=(PriceRule(0),)),),
        type=ProductType.PASS,
    )

    assert priced(adult(1), catalogue=replace(SHOP, products=(free,))).totals.total_gross == 0
