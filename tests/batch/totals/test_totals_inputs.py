"""Inputs of a call: refusals, order of lines, and arguments left unchanged."""

from typing import Any

import numpy as np
import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.policy import SubscriptionBasis, TotalsPolicy
from faregate.batch.amount_due.vouchers import VoucherColumns
from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import LineColumns
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.totals.pipeline import checkout_totals
from faregate.discounts.kinds import Absolute, AutomaticDiscount
from faregate.errors import (
    InvalidAmount,
    InvalidDiscount,
    InvalidInput,
    InvalidLines,
    InvalidVoucher,
)
from support.columns.arrays import read_only
from support.columns.lines import (
    MANY_RULES,
    columns,
    in_a_bucket,
    ints,
    like_north_star,
)


@pytest.mark.parametrize(
    ("donation", "error", "message"),
    [
        (ints(5, -1), InvalidAmount, r"^row 1: the donation is negative$"),
        (-1, InvalidAmount, r"^row 0: the donation is negative$"),
        (ints(5), InvalidInput, r"^donation: expected int64 \[2\], got int64 \[1\]$"),
        (ints(5, 5, 5), InvalidInput, r"^donation: expected int64 \[2\], got int64 \[3\]$"),
        (np.zeros(2), InvalidInput, r"^donation: expected int64 \[n\] or an int of 64 bits, got float64"),
        (np.zeros((2, 1), np.int64), InvalidInput, r"^donation: .* got int64 \[2, 1\]$"),
        (1.5, InvalidInput, r"^donation: .* got float$"),
        (True, InvalidInput, r"^donation: .* got bool$"),
        (2**63, InvalidInput, r"^donation: expected int64 \[n\] or an int of 64 bits, got int$"),
        (2**63 - 1, InvalidAmount, f"^row 0: 1000 plus a donation of {2**63 - 1} exceeds int64$"),
        (
            ints(2**63 - 1001, 2**63 - 1000),
            InvalidAmount,
            f"^row 1: 1000 plus a donation of {2**63 - 1000} exc",
        ),
    ],
)
def test_invalid_donation_is_refused(donation: Any, error: type[InvalidInput], message: str) -> None:
    with pytest.raises(error, match=message):
        checkout_totals(columns(1, 1), donation=donation)


def test_duplicate_vouchers_are_refused() -> None:
    with pytest.raises(
        InvalidVoucher, match=r"^expected vouchers with different codes, got \['A', 'B', 'A'\]$"
    ):
        checkout_totals([], vouchers=[Voucher(code=code, balance=1) for code in ("A", "B", " a ")])


@pytest.mark.parametrize("sizes", [(), (1, 1), (0, 0, 0)])
def test_vouchers_of_many_baskets_must_be_columns(sizes: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInput, match=rf"^vouchers: expected VoucherColumns for {len(sizes)} baskets$"):
        checkout_totals(columns(*sizes), vouchers=[Voucher(code="A", balance=1)])


@pytest.mark.parametrize("keys", [ints(1, 1, 2, 7, 7, 3), ints(9, 4, 2, 7, 3, 7), ints(1, 2, 3, 7, 7, 8)])
@pytest.mark.parametrize("is_matrix", [False, True])
def test_key_used_twice_is_named_with_its_first_basket(keys: Any, is_matrix: bool) -> None:
    flat = columns(3, 3, key=keys)
    row = 0 if len({*keys[:3].tolist()}) < 3 else 1

    with pytest.raises(InvalidLines, match=rf"^row {row}: two lines have the same key$"):
        checkout_totals(in_a_bucket(flat) if is_matrix else flat)


def test_id_used_twice_is_refused() -> None:
    rule = AutomaticDiscount(id=3, kind=Absolute(1))

    with pytest.raises(
        InvalidDiscount, match=r"^expected automatic discounts with different ids, got \[1, 3, 3\]$"
    ):
        checkout_totals(columns(1), automatic=[rule, AutomaticDiscount(id=1, kind=Absolute(2)), rule])


def everything_given() -> dict[str, Any]:
    """Return columns of every kind, all read-only."""
    flat = like_north_star(*[4] * 9)
    count = flat.lines
    arrays: dict[str, Any] = {
        "unit_price": flat.unit_price.copy(),
        "quantity": flat.quantity.copy(),
        "rate": flat.rate.copy(),
        "offsets": np.arange(0, count + 1, 4),
        "key": np.arange(count)[::-1].copy(),
        "product": np.arange(count) % 3,
        "variant": np.arange(count) % 3,
        "category": np.arange(count) % 3,
        "discount_card": np.arange(count) % 3,
        "floor_price": np.arange(count) * 10,
        "recurring_price": np.full(count, 100),
        "discountable": np.arange(count) % 7 != 0,
        "counted": np.arange(count) % 5 != 0,
        "is_subscription": np.arange(count) % 2 == 0,
        "first_day": np.arange(count) + np.datetime64("2026-03-04"),
    }
    child = read_only(np.arange(count) % 2 == 0)
    return {
        "lines": LineColumns(
            **{name: read_only(array) for name, array in arrays.items()}, attributes={("age", "child"): child}
        ),
        **MANY_RULES,
        "entered": CodeColumns(
            offsets=read_only(np.array([0, 3, 5, 5, 5, 6, 6, 6, 6, 6])),
            codes=read_only(ints(2, 0, 1, 0, 2, 1)),
        ),
        "donation": read_only(np.arange(9) * 100),
        "vouchers": VoucherColumns(
            read_only(np.full(9, 500)),
            read_only(np.arange(10)),
            read_only(np.full(9, np.datetime64("2027-01-01", "us"))),
            read_only(np.zeros(9, np.int64)),
        ),
        "context": ContextColumns(
            at=read_only(np.full(9, np.datetime64("2026-03-04", "us"))),
            ordered_on=read_only(np.full(9, np.datetime64("2026-03-04"))),
            channel=read_only(np.array(["WEB"] * 9)),
            account=read_only(np.arange(9)),
        ),
        "policy": TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING),
    }


def test_columns_may_be_read_only_and_are_not_changed() -> None:
    given = everything_given()
    lines: LineColumns = given["lines"]
    before = [column.tolist() for column in (lines.unit_price, lines.quantity, lines.rate)]

    totals = checkout_totals(**given)

    assert [column.tolist() for column in (lines.unit_price, lines.quantity, lines.rate)] == before
    assert (totals.promo_code_discount > 0).tolist() == [True, True, *[False] * 2, True, *[False] * 4]


def test_figures_of_lines_share_no_memory_with_the_input() -> None:
    given = everything_given()
    lines: LineColumns = given["lines"]

    totals = checkout_totals(**given)

    columns_given = [lines.unit_price, lines.quantity, lines.rate, lines.floor_price, lines.recurring_price]
    for figures in totals.lines:
        assert figures.flags.writeable
        assert not any(np.shares_memory(figures, own) for own in columns_given if own is not None)


def test_donations_of_a_result_share_no_memory_with_the_input() -> None:
    donation = ints(100, 200)

    totals = checkout_totals(columns(1, 1), donation=donation)
    totals.donation[0] = 5

    assert donation.tolist() == [100, 200]
