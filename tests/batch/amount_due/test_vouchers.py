"""Vouchers in columns: refusals, expiry, order, and goods of single-purpose vouchers."""

from typing import Any

import numpy as np
import pytest

from faregate.basket.policy import SinglePurposeRest, TotalsPolicy
from faregate.batch.amount_due.vouchers import VoucherColumns
from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.totals.pipeline import checkout_totals
from faregate.errors import ContextRequired, InvalidInput, InvalidPeriod, InvalidRate, InvalidVoucher
from support.columns.lines import columns, ints

OFFSETS = ints(0, 2, 3)
BALANCES = ints(9000, 3000, 500)
EXPIRES = np.array(["2026-03-01T12:00", "NaT", "2026-03-01T12:00"], "datetime64[us]")
BASKETS = columns(1, 1, unit_price=ints(6300, 6300))
POLICY = TotalsPolicy()


def pay(*, at: Any = None, lines: Any = BASKETS, policy: Any = POLICY, **changed: Any) -> list[int]:
    given: dict[str, Any] = {"balances": BALANCES, "offsets": OFFSETS}
    context = ContextColumns(at=None if at is None else np.array(at, "datetime64[us]"))
    vouchers = VoucherColumns(**(given | changed))
    totals = checkout_totals(lines, vouchers=vouchers, policy=policy, context=context)
    return [*totals.vouchers.tolist()]


EXPIRY = r"expected datetime64\[us\] \[3\], got"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("balances", np.ones(3), r"expected int64 \[n\] or an int of 64 bits, got float64 \[3\]"),
        ("offsets", ints(0, 2, 2), r"expected 0 first and 3 last, got 0 and 2"),
        ("offsets", ints(0, 3), r"expected int64 \[2 \+ 1\], got int64 \[2\]"),
        ("ranks", np.arange(2), r"expected int64 \[3\], got int64 \[2\]"),
        ("rates", ints(0, 0), r"expected int64 \[3\], got int64 \[2\]"),
        ("expires_at", EXPIRES[:2], rf"{EXPIRY} datetime64\[us\] \[2\]"),
        ("expires_at", EXPIRES.astype("datetime64[s]"), rf"{EXPIRY} datetime64\[s\] \[3\]"),
        ("expires_at", [None] * 3, rf"{EXPIRY} list"),
    ],
)
def test_columns_that_do_not_fit_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{name}: {message}$"):
        pay(**{name: value})


def test_negative_balance_is_named_with_its_basket() -> None:
    with pytest.raises(InvalidVoucher, match=r"^row 1: the balance of voucher 2 is -1, expected at least 0$"):
        pay(balances=ints(9000, 3000, -1))


def test_duplicate_rank_is_named_with_its_basket() -> None:
    lines, offsets = columns(1, 1, 1), ints(0, 0, 2, 5)

    with pytest.raises(InvalidVoucher, match=r"^row 2: two vouchers have the same rank, 7$"):
        pay(lines=lines, balances=np.arange(5), offsets=offsets, ranks=ints(7, 8, 7, 1, 7))


@pytest.mark.parametrize(
    ("expires_at", "named"), [(EXPIRES, "row 0: voucher 0"), (EXPIRES[[1, 1, 0]], "row 1: voucher 2")]
)
def test_voucher_that_expires_needs_the_instant(expires_at: Any, named: str) -> None:
    with pytest.raises(ContextRequired, match=rf"^{named} needs the instant in the context$"):
        pay(expires_at=expires_at)


@pytest.mark.parametrize(
    ("expires_at", "row"),
    [(["0000-12-31", "NaT", "NaT"], 0), (["NaT", "9999-12-31", "10000-01-01"], 2)],
)
def test_expiries_outside_the_calendar_are_refused(expires_at: list[str], row: int) -> None:
    with pytest.raises(InvalidPeriod, match=rf"^expires_at\[{row}\] is outside the years 1 to 9999$"):
        pay(expires_at=np.array(expires_at, "datetime64[us]"))


def test_voucher_expires_at_its_instant() -> None:
    at = ["2026-03-01T12:00:00", "2026-03-01T11:59:59.999999"]

    assert pay(expires_at=EXPIRES, at=at) == [0, 3000, 500]
    assert pay(expires_at=EXPIRES, at=at[1]) == [6300, 0, 500]


def test_last_possible_instant_sorts_with_never() -> None:
    last = np.array(["9999-12-31T23:59:59.999999", "NaT", "NaT"], "datetime64[us]")

    assert pay(expires_at=last, at="2026-03-01") == [3300, 3000, 500]


def test_balances_as_large_as_possible_pay_what_is_due() -> None:
    assert pay(balances=ints(2**63 - 1, 2**63 - 2, 2**63 - 1)) == [0, 6300, 6300]


def test_single_purpose_vouchers_pay_first_and_only_goods_of_their_rate() -> None:
    lines = columns(2, 1, unit_price=ints(700, 100, 300), rate=ints(26_000, 81_000, 81_000))

    assert pay(lines=lines, rates=ints(26_000, -1, 81_000)) == [700, 100, 300]
    assert pay(lines=lines, rates=ints(50_000, -1, -1)) == [0, 800, 300]


def test_single_purpose_vouchers_may_refuse_baskets_with_other_goods() -> None:
    lines = columns(2, 1, unit_price=ints(700, 100, 300), rate=ints(26_000, 81_000, 81_000))
    refusing = TotalsPolicy(single_purpose_rest=SinglePurposeRest.REFUSE)

    assert pay(lines=lines, rates=ints(26_000, -1, 81_000), policy=refusing) == [0, 800, 300]


@pytest.mark.parametrize(
    ("rate", "message"),
    [
        (-2, "-2, expected an int from 0 to 1000000"),
        (1_000_001, "1000001, expected an int from 0 to 1000000"),
        (8, "8, which is 0.0008 %: for 8 % write .*"),
    ],
)
def test_impossible_rate_is_named_with_its_first_voucher(rate: int, message: str) -> None:
    with pytest.raises(InvalidRate, match=rf"^voucher 1: parts_per_million is {message}$"):
        pay(rates=ints(-1, rate, rate))
