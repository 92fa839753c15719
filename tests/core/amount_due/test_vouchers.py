"""Vouchers as payment. Decisions §6."""

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from faregate.amount_due.vouchers import Redemption, Voucher, prepaid_breakdown, redeem
from faregate.basket.lines import Line
from faregate.basket.policy import SinglePurposeRest, TotalsPolicy
from faregate.discounts.eligibility import Context, RejectionReason
from faregate.discounts.kinds import Scope
from faregate.errors import ContextRequired, InvalidPeriod, InvalidVoucher
from faregate.tax.rates import VatAmount, VatRate
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import NOW, REDUCED, UNTAXED, VAT, ZURICH, days

SOON, LATER = NOW + timedelta(days=1), NOW + timedelta(days=2)
INSTANT = timedelta(microseconds=1)


def voucher(code: str, balance: int, **rest: Any) -> Voucher:
    if rest.get("single_purpose") is not None:
        rest = {"face_value": balance, **rest}
    return Voucher(code=code, balance=balance, **rest)


def test_codes_of_vouchers_compare_trimmed_and_upper_cased() -> None:
    assert voucher(" gift\n", 100).code == "GIFT"


@pytest.mark.parametrize(
    ("code", "balance", "message"),
    [
        ("GIFT", -1, "balance is -1, expected an int of at least 0"),
        ("GIFT", 10.5, "balance is 10.5, expected an int of at least 0"),
        ("GIFT", True, "balance is True, expected an int of at least 0"),
        ("GIFT", None, "balance is None, expected an int of at least 0"),
        (" ", 100, "voucher code is empty"),
    ],
)
def test_a_voucher_has_a_code_and_a_balance(code: str, balance: int, message: str) -> None:
    with pytest.raises(InvalidVoucher) as raised:
        voucher(code, balance)

    assert str(raised.value) == message


def test_a_voucher_expires_at_an_instant() -> None:
    naive = datetime(2026, 12, 27)  # noqa: DTZ001  the point of the test

    with pytest.raises(
        InvalidVoucher, match=r"^voucher GIFT: the expiry 2026-12-27 00:00:00 has no UTC offset$"
    ):
        voucher("gift", 100, expires_at=naive)


@pytest.mark.parametrize(
    ("vouchers", "due", "amounts"),
    [
        pytest.param([voucher("A", 5000)], 3000, [3000], id="the rest stays"),
        pytest.param([voucher("A", 5000)], 5000, [5000], id="just enough"),
        pytest.param([voucher("A", 5000)], 8000, [5000], id="not enough"),
        pytest.param([voucher("A", 5000)], 0, [0], id="nothing due"),
        pytest.param([voucher("A", 0), voucher("B", 100)], 100, [0, 100], id="an empty voucher"),
        pytest.param(
            [voucher("A", 9000), voucher("B", 3000)], 6300, [3300, 3000], id="the smaller balance first"
        ),
        pytest.param([voucher("B", 3000), voucher("A", 3000)], 4000, [1000, 3000], id="then by code"),
        pytest.param(
            [voucher("A", 1000), voucher("B", 9000, expires_at=LATER)], 500, [0, 500], id="expiring first"
        ),
        pytest.param(
            [voucher("A", 1000, expires_at=LATER), voucher("B", 9000, expires_at=SOON)],
            9500,
            [500, 9000],
            id="the earlier expiry first",
        ),
        pytest.param(
            [voucher("A", 9000, expires_at=SOON), voucher("B", 1000, expires_at=SOON.astimezone(UTC))],
            1500,
            [500, 1000],
            id="one instant, in different offsets",
        ),
    ],
)
def test_vouchers_pay_in_order_of_expiry_balance_and_code(
    vouchers: list[Voucher], due: int, amounts: list[int]
) -> None:
    paid = dict(zip([entry.code for entry in vouchers], amounts, strict=True))

    for ordered in permutations(vouchers):
        redemptions = redeem(ordered, due, at=NOW)
        assert [redemption.voucher for redemption in redemptions] == list(ordered)
        assert {redemption.voucher.code: redemption.amount for redemption in redemptions} == paid


@pytest.mark.parametrize(
    ("at", "amount"), [(SOON - INSTANT, 500), (SOON, 0), (SOON + INSTANT, 0), (SOON.astimezone(UTC), 0)]
)
def test_a_voucher_pays_until_just_before_its_expiry(at: datetime, amount: int) -> None:
    (redemption,) = redeem([voucher("A", 500, expires_at=SOON)], 800, at=at)

    assert redemption.amount == amount
    assert redemption.balance_left == 500 - amount


def test_a_voucher_does_not_expire_before_its_instant_in_the_repeated_hour() -> None:
    # On 2026-10-25 the clocks go back at 03:00: 02:45 at +02:00 is 45 minutes before 02:30 at +01:00.
    expiry = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZURICH)
    before = datetime(2026, 10, 25, 2, 45, tzinfo=ZURICH)

    (redemption,) = redeem([voucher("A", 500, expires_at=expiry)], 500, at=before)

    assert redemption.amount == 500


def test_vouchers_pay_in_order_of_expiry_in_the_repeated_hour() -> None:
    second = datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=ZURICH)
    first = datetime(2026, 10, 25, 2, 45, tzinfo=ZURICH)

    redemptions = redeem(
        [voucher("A", 500, expires_at=second), voucher("B", 500, expires_at=first)],
        500,
        at=datetime(2026, 10, 24, tzinfo=ZURICH),
    )

    assert [redemption.amount for redemption in redemptions] == [0, 500]


def test_a_voucher_that_never_expires_needs_no_instant() -> None:
    assert redeem([voucher("A", 500)], 300) == (Redemption(voucher("A", 500), 300),)


def test_a_voucher_that_expires_needs_the_instant() -> None:
    with pytest.raises(ContextRequired, match=r"^voucher A needs the instant in the context$"):
        redeem([voucher("a", 500, expires_at=SOON)], 300)


def test_an_instant_without_a_utc_offset_is_refused() -> None:
    naive = datetime(2026, 12, 21, 9, 0)  # noqa: DTZ001  the point of the test

    with pytest.raises(InvalidPeriod, match="has no UTC offset"):
        redeem([voucher("A", 500, expires_at=SOON)], 300, at=naive)


def test_each_voucher_may_be_entered_only_once() -> None:
    with pytest.raises(InvalidVoucher, match=r"^expected vouchers with different codes, got \['A', 'A'\]$"):
        redeem([voucher("A", 500), voucher(" a ", 700)], 300)


def test_without_vouchers_nothing_is_paid() -> None:
    assert redeem([], 300) == ()


def test_prepaid_tax_is_negative_per_rate_in_ascending_order() -> None:
    redemptions = [
        Redemption(voucher("A", 9000, single_purpose=VAT), 1081),
        Redemption(voucher("B", 9000, single_purpose=REDUCED), 1026),
        Redemption(voucher("C", 9000), 5000),
        Redemption(voucher("D", 9000, single_purpose=VAT), 1081),
    ]

    assert prepaid_breakdown(redemptions) == (
        VatAmount(REDUCED, net=-1000, vat=-26, gross=-1026),
        VatAmount(VAT, net=-2000, vat=-162, gross=-2162),
    )


def test_each_voucher_offsets_the_tax_declared_when_it_was_sold() -> None:
    redemptions = [Redemption(voucher(code, 100, single_purpose=VAT), 100) for code in "ABC"]

    # The tax in 100 is 7.49, in 300 it is 22.48: sold one by one, 7 was declared three times.
    assert prepaid_breakdown(redemptions) == (VatAmount(VAT, net=-279, vat=-21, gross=-300),)


def test_a_hundred_coffees_offset_the_tax_declared_for_their_voucher() -> None:
    left, given_back = 5000, 0
    for _ in range(100):
        card = voucher("COFFEE", left, single_purpose=VAT, face_value=5000)
        totals = checkout_totals([Line(1, 50, 1, VAT)], vouchers=[card])
        left = totals.vouchers[0].balance_left
        given_back -= sum(row.vat for row in totals.prepaid)

    # 50.00 include 3.75; one by one, a hundred times 0.04 would be 4.00.
    assert (left, given_back) == (0, 375)


MEAL, SKI = Line(1, 1000, 1, REDUCED, product=11), Line(2, 500, 1, VAT, product=12)


def paid(*vouchers: Voucher, lines: tuple[Line, ...] = (MEAL, SKI), **rest: Any) -> list[Any]:
    found = checkout_totals(lines, vouchers=vouchers, **rest).vouchers
    return [redemption.reason or redemption.amount for redemption in found]


def test_a_single_purpose_voucher_pays_only_for_goods_at_its_rate() -> None:
    totals = checkout_totals([MEAL, SKI], vouchers=[voucher("S", 5000, single_purpose=VAT)])

    assert (totals.vouchers[0].amount, totals.amount_due) == (500, 1000)
    assert totals.prepaid == (VatAmount(VAT, net=-463, vat=-37, gross=-500),)


def test_a_single_purpose_voucher_pays_only_for_goods_in_its_scope() -> None:
    second = SKI._replace(key=3, product=13)
    tour = voucher("S", 5000, single_purpose=VAT, scope=Scope(products=frozenset({13})))

    assert paid(tour, lines=(MEAL, SKI, second)) == [500]
    assert paid(tour) == [RejectionReason.NOT_APPLICABLE]
    assert paid(voucher("S", 5000, single_purpose=UNTAXED)) == [RejectionReason.NOT_APPLICABLE]
    assert checkout_totals([MEAL, SKI], vouchers=[tour]).amount_due == 1500


def test_single_purpose_vouchers_share_the_goods_in_their_scope() -> None:
    early = Scope(min_lead_days=6)  # the 27th, but not the 26th
    both = [voucher(code, 300, single_purpose=VAT, scope=early) for code in "ST"]
    sunday = SKI._replace(validity=days("2026-12-27", "2026-12-27"))
    saturday = SKI._replace(key=3, validity=days("2026-12-26", "2026-12-26"))

    # Only 5.00 is payable of the 20.00 due.
    found = paid(*both, lines=(MEAL, sunday, saturday), context=Context(at=NOW, zone=ZURICH))

    assert found == [300, 200]


@pytest.mark.parametrize("pays_donation", [False, True])
def test_a_single_purpose_voucher_never_pays_a_donation(pays_donation: bool) -> None:
    policy = TotalsPolicy(vouchers_pay_donation=pays_donation)
    both = voucher("S", 1000, single_purpose=VAT), voucher("M", 50)

    totals = checkout_totals([SKI], donation=500, vouchers=both, policy=policy)

    assert [own.amount for own in totals.vouchers] == [500, 50 if pays_donation else 0]


def test_the_most_restricted_voucher_pays_first() -> None:
    tour = voucher("T", 500, single_purpose=VAT, scope=Scope(products=frozenset({12})))
    ski, money = voucher("A", 300, single_purpose=VAT, expires_at=SOON), voucher("M", 100, expires_at=SOON)
    lines = SKI, SKI._replace(key=3, product=13, unit_price=300)

    assert paid(money, ski, tour, lines=lines, context=Context(at=NOW)) == [0, 300, 500]


def test_a_policy_may_refuse_single_purpose_vouchers_with_other_goods() -> None:
    policy = TotalsPolicy(single_purpose_rest=SinglePurposeRest.REFUSE)
    ski, free = voucher("S", 5000, single_purpose=VAT), MEAL._replace(unit_price=0)

    assert paid(ski, policy=policy) == [RejectionReason.NOT_APPLICABLE]
    assert paid(ski, lines=(free, SKI), policy=policy) == [500]


def test_a_voucher_that_pays_nothing_has_a_reason() -> None:
    gone, empty = voucher("GONE", 10, expires_at=NOW), voucher("EMPTY", 0)
    spent, used_up = voucher("SPENT", 0, single_purpose=VAT), RejectionReason.USED_UP

    assert paid(gone, empty, spent, context=Context(at=NOW)) == [RejectionReason.EXPIRED, used_up, used_up]


def test_a_single_purpose_voucher_needs_the_goods() -> None:
    with pytest.raises(ContextRequired, match=r"^single-purpose voucher S needs the goods in the context$"):
        redeem([voucher("S", 500, single_purpose=VAT)], 500)


@pytest.mark.parametrize(
    "fields",
    [
        {"single_purpose": VAT},
        {"single_purpose": VAT, "face_value": 99},
        {"single_purpose": VAT, "face_value": 100.0},
        {"face_value": 100},
        {"scope": Scope(products=frozenset({1}))},
    ],
)
def test_face_value_and_scope_belong_to_single_purpose_vouchers(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidVoucher, match="face_value"):
        Voucher(code="A", balance=100, **fields)


@pytest.mark.parametrize(
    "redemption",
    [
        Redemption(voucher("A", 500), 500),
        Redemption(voucher("A", 500, single_purpose=VatRate(parts_per_million=0)), 0),
    ],
)
def test_unused_and_multi_purpose_vouchers_are_not_prepaid(redemption: Redemption) -> None:
    assert prepaid_breakdown([redemption]) == ()
