"""Vouchers in columns: refusals, and instants of any unit."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from faregate.batch.amount_due.vouchers import Goods, prepaid_breakdown, redeem
from faregate.errors import (
    ContextRequired,
    InvalidAmount,
    InvalidInput,
    InvalidPeriod,
    InvalidRate,
    InvalidVoucher,
)

OFFSETS = np.array([0, 2, 3])
NONE = np.zeros(3, np.int64)
BALANCES = np.array([9000, 3000, 500])
EXPIRES = np.array(["2026-03-01T12:00", "NaT", "2026-03-01T12:00"], "datetime64[us]")


def pay(**changed: Any) -> list[int]:
    given: dict[str, Any] = {"balances": BALANCES, "due": 6300, "offsets": OFFSETS}
    return [*redeem(**(given | changed)).tolist()]


OF_EACH = r"expected one value or an array \[2\], got int64"
EXPIRY = r"expected datetime64\[us\] \[3\], got"
INSTANT = r"expected datetime64 \[m\] of any unit or a datetime, got"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("balances", np.ones(3), r"expected int64 \[n\] or an int of 64 bits, got float64 \[3\]"),
        ("offsets", np.array([0, 2]), r"expected 0 first and 3 last, got 0 and 2"),
        ("due", np.ones(3, np.int64), rf"{OF_EACH} \[3\]"),
        ("due", np.ones(1, np.int64), rf"{OF_EACH} \[1\]"),
        ("due", 1.0, r"expected int64 \[n\] or an int of 64 bits, got float"),
        ("ranks", np.arange(2), r"expected int64 \[3\], got int64 \[2\]"),
        ("expires_at", EXPIRES[:2], rf"{EXPIRY} datetime64\[us\] \[2\]"),
        ("expires_at", EXPIRES.astype("datetime64[s]"), rf"{EXPIRY} datetime64\[s\] \[3\]"),
        ("expires_at", [None] * 3, rf"{EXPIRY} list"),
        ("at", "2026-03-01", rf"{INSTANT} str"),
        ("at", np.array(["NaT"] * 2, "datetime64"), rf"{INSTANT} datetime64 \[2\]"),
        ("at", np.zeros(2, np.int64), rf"{INSTANT} int64 \[2\]"),
        ("at", np.zeros((2, 1), "datetime64[s]"), rf"{INSTANT} datetime64\[s\] \[2, 1\]"),
        ("at", np.zeros(3, "datetime64[s]"), rf"{OF_EACH} \[3\]"),
    ],
)
def test_columns_that_do_not_fit_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{name}: {message}$"):
        pay(**{name: value})


def test_negative_balance_is_named_with_its_basket() -> None:
    with pytest.raises(InvalidVoucher, match=r"^row 1: the balance of voucher 2 is -1, expected at least 0$"):
        pay(balances=np.array([9000, 3000, -1]))


def test_duplicate_rank_is_named_with_its_basket() -> None:
    balances, offsets = np.arange(5), np.array([0, 0, 2, 5])

    with pytest.raises(InvalidVoucher, match=r"^row 2: two vouchers have the same rank, 7$"):
        pay(balances=balances, offsets=offsets, ranks=np.array([7, 8, 7, 1, 7]))


def test_voucher_that_expires_needs_the_instant() -> None:
    with pytest.raises(ContextRequired, match=r"^row 0: voucher 0 needs the instant in the context$"):
        pay(expires_at=EXPIRES)
    with pytest.raises(ContextRequired, match=r"^row 1: voucher 2 needs the instant in the context$"):
        pay(expires_at=EXPIRES, at=np.array(["2026-01-01", "NaT"], "datetime64[D]"))


def test_first_refused_basket_is_named_whatever_the_reason() -> None:
    undated = {"expires_at": EXPIRES, "at": np.array(["2026-01-01", "NaT"], "datetime64[D]")}

    with pytest.raises(InvalidVoucher, match=r"^row 0: two vouchers have the same rank"):
        pay(**undated, ranks=np.array([1, 1, 1]))


def instants(*values: int, unit: str) -> Any:
    return np.array(values).view(f"datetime64[{unit}]")


@pytest.mark.parametrize(
    ("name", "value", "row"),
    [
        ("at", instants(8030, unit="Y")[0], 0),
        ("at", instants(0, 2**62, unit="s"), 1),
        ("at", instants(0, -(2**40), unit="h"), 1),
        ("expires_at", np.array(["0000-12-31", "NaT", "NaT"], "datetime64[us]"), 0),
        ("expires_at", np.array(["NaT", "9999-12-31", "10000-01-01"], "datetime64[us]"), 2),
    ],
)
def test_instants_outside_the_calendar_are_refused(name: str, value: Any, row: int) -> None:
    with pytest.raises(InvalidPeriod, match=rf"^{name}\[{row}\] is outside the years 1 to 9999$"):
        pay(**{name: value})


def test_an_instant_without_offset_is_refused() -> None:
    with pytest.raises(InvalidPeriod, match=r"has no UTC offset$"):
        pay(at=datetime(2026, 3, 1))  # noqa: DTZ001


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_voucher_expires_at_its_instant_in_any_unit(unit: str) -> None:
    at = np.array(["2026-03-01T12:00:00", "2026-03-01T11:59:59"], f"datetime64[{unit}]")

    assert pay(expires_at=EXPIRES, at=at) == [0, 3000, 500]


def test_less_than_a_microsecond_before_is_before() -> None:
    before = np.array(["1969-12-31T23:59:59.999999999"] * 2, "datetime64[ns]")

    assert pay(expires_at=np.array(["1970-01-01"] * 3, "datetime64[us]"), at=before) == [3300, 3000, 500]


def test_last_possible_instant_sorts_with_never() -> None:
    last = np.array(["9999-12-31T23:59:59.999999", "NaT", "NaT"], "datetime64[us]")

    assert pay(expires_at=last, at=datetime(2026, 3, 1, tzinfo=UTC)) == [3300, 3000, 500]


GOODS = Goods(np.array([26_000, 81_000]), np.array([[700, 0], [100, 300]]))


def test_single_purpose_vouchers_pay_first_and_only_goods_of_their_rate() -> None:
    rates = {"rates": np.array([26_000, -1, 81_000]), "goods": GOODS}

    assert pay(due=np.array([800, 300]), **rates) == [700, 100, 300]
    assert pay(due=np.array([800, 300]), **(rates | {"rates": np.array([50_000, -1, -1])})) == [0, 800, 300]


@pytest.mark.parametrize("goods", [None, GOODS._replace(rates=GOODS.rates[:1])])
def test_single_purpose_vouchers_need_the_goods_of_all_baskets(goods: Goods | None) -> None:
    with pytest.raises(InvalidInput, match=r"^goods: expected Goods with gross \[r, m\]"):
        pay(rates=np.array([26_000, -1, -1]), goods=goods)


@pytest.mark.parametrize("before", [-1, 2**63 - 5])
def test_impossible_earlier_payments_are_refused(before: int) -> None:
    with pytest.raises(
        InvalidAmount, match=rf"^voucher 0: .* and a sum that fits int64, got {before} plus 5$"
    ):
        prepaid_breakdown(
            np.array([5, 0, 0]), np.array([0, 0, 0]), offsets=OFFSETS, redeemed=np.array([before, 0, 0])
        )


@pytest.mark.parametrize("rate", [-2, 1_000_001])
def test_impossible_rate_is_refused_even_where_nothing_was_paid(rate: int) -> None:
    with pytest.raises(
        InvalidRate, match=rf"^voucher 1: expected a rate from 0 to 1000000 parts per million, got {rate}$"
    ):
        prepaid_breakdown(np.array([5, 0, 5]), np.array([-1, rate, 0]), offsets=OFFSETS, redeemed=NONE)


def test_rate_meant_as_percent_is_named_with_its_voucher() -> None:
    with pytest.raises(InvalidRate, match=r"^voucher 1: parts_per_million is 8, which is 0.0008 %"):
        prepaid_breakdown(np.array([5, 0, 5]), np.array([-1, 8, 0]), offsets=OFFSETS, redeemed=NONE)


def test_rates_that_do_not_match_the_vouchers_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^rates: expected int64 \[3\], got int64 \[2\]$"):
        prepaid_breakdown(BALANCES, np.zeros(2, np.int64), offsets=OFFSETS, redeemed=NONE)


def test_sums_beyond_int64_are_refused_and_those_within_are_exact() -> None:
    rates = np.zeros(3, np.int64)

    found = prepaid_breakdown(np.array([2**62, 2**62 - 1, 2**62]), rates, offsets=OFFSETS, redeemed=NONE)

    assert found.gross.tolist() == [-(2**63 - 1), -(2**62)]
    with pytest.raises(InvalidAmount, match=r"^row 0: 9223372036854775808 does not fit int64$"):
        prepaid_breakdown(np.array([2**62, 2**62, 1]), rates, offsets=OFFSETS, redeemed=NONE)
