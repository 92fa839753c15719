"""Twins of vouchers: results of the scalar function per basket, or its error for the first refused one."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import example, given
from hypothesis import strategies as st

from batch.money.test_allocation_laws import steps, steps_of_lines
from faregate.amount_due import vouchers as scalar
from faregate.amount_due.vouchers import Redemption, Voucher
from faregate.batch.amount_due.vouchers import NOT_PREPAID, prepaid_breakdown, redeem
from faregate.batch.money.rounding import fitting
from faregate.errors import FaregateError
from faregate.tax.rates import VatRate
from support.baskets.strategies import NOW, sized, upto
from support.columns.numbers import Refused, column_of, sizes
from support.columns.vouchers import Payment, columns_of, instants_of, payments


def outcome(ask: Callable[[], list[Any]]) -> list[Any] | Refused:
    """Return the results, or the error up to the row in its message."""
    try:
        return ask()
    except FaregateError as error:
        return Refused(type(error), str(error).partition(":")[0])


def paid_by_basket(baskets: list[Payment]) -> list[int] | Refused:
    """Return the amounts of the scalar function, or its error for the first refused basket."""
    amounts = []
    for row, (vouchers, due, at) in enumerate(baskets):
        try:
            amounts += [paid.amount for paid in scalar.redeem(vouchers, due, at=at)]
        except FaregateError as error:
            return Refused(type(error), f"row {row}")
    return amounts


@given(sized(payments(), sizes), steps)
def test_vouchers_match_the_scalar_in_every_basket(baskets: list[Payment], step: int) -> None:
    columns = columns_of([basket.vouchers for basket in baskets])
    due, at = column_of([basket.due for basket in baskets]), instants_of([basket.at for basket in baskets])

    with steps_of_lines(step):
        found = outcome(lambda: redeem(due=due, at=at, **columns._asdict()).tolist())

    assert found == paid_by_basket(baskets)


@given(sized(payments(), sizes))
def test_codes_sort_in_column_order_by_default(baskets: list[Payment]) -> None:
    in_order = [
        basket._replace(
            vouchers=tuple(replace(own, code=chr(65 + n)) for n, own in enumerate(basket.vouchers)), at=NOW
        )
        for basket in baskets
    ]
    columns: dict[str, Any] = columns_of([basket.vouchers for basket in in_order])._asdict()
    columns["ranks"] = None
    due = column_of([basket.due for basket in in_order])

    found = outcome(lambda: redeem(due=due, at=NOW, **columns).tolist())

    assert found == paid_by_basket(in_order)


@given(sized(payments(), st.integers(1, 5)))
@example([Payment((), -(2**63), NOW)])
def test_one_value_applies_to_all_baskets(baskets: list[Payment]) -> None:
    columns: dict[str, Any] = columns_of([basket.vouchers for basket in baskets])._asdict()
    count = len(baskets)
    due = baskets[0].due

    found = outcome(lambda: redeem(due=due, at=NOW, **columns).tolist())

    full: dict[str, Any] = {"due": np.full(count, due), "at": np.repeat(instants_of([NOW]), count)}
    assert found == outcome(lambda: redeem(**full, **columns).tolist())
    assert found == outcome(lambda: redeem(due=due, at=instants_of([NOW])[0], **columns).tolist())


@given(sized(payments(), sizes))
def test_vouchers_that_never_expire_need_no_instant(baskets: list[Payment]) -> None:
    lasting = [
        Payment(tuple(replace(own, expires_at=None) for own in vouchers), due, None)
        for vouchers, due, _ in baskets
    ]
    columns: dict[str, Any] = columns_of([basket.vouchers for basket in lasting])._asdict()
    columns["expires_at"] = None

    found = outcome(lambda: redeem(due=column_of([basket.due for basket in lasting]), **columns).tolist())

    assert found == paid_by_basket(lasting)


_purposes = st.sampled_from(
    (None, VatRate(parts_per_million=0), VatRate(parts_per_million=26_000), VatRate(parts_per_million=81_000))
)


def _of_one_rate(voucher: Voucher, rate: VatRate | None, redeemed: int) -> Voucher:
    face_value = None if rate is None else min(voucher.balance + redeemed, 2**63 - 1)
    return replace(voucher, single_purpose=rate, face_value=face_value)


@st.composite
def _redemptions(draw: st.DrawFn) -> list[Redemption]:
    """Draw amounts that ``redeem`` returns, and arbitrary ones."""
    vouchers, due, _ = draw(payments())
    unique = tuple({voucher.code: voucher for voucher in vouchers}.values())
    paid = [
        Redemption(_of_one_rate(own.voucher, draw(_purposes), draw(upto(100))), own.amount)
        for own in scalar.redeem(unique, abs(due), at=NOW)
    ]
    is_any = draw(upto(3)) == 3
    if not is_any:
        return paid
    most = [2**63 - 1 - one.voucher.redeemed for one in paid]
    return [replace(one, amount=draw(st.integers(0, size))) for one, size in zip(paid, most, strict=True)]


def breakdown_by_basket(baskets: list[list[Redemption]]) -> list[tuple[int, ...]] | Refused:
    rows: list[tuple[int, ...]] = []
    for basket, redemptions in enumerate(baskets):
        for rate, net, vat, gross in scalar.prepaid_breakdown(redemptions):
            try:
                fitting(-gross), fitting(gross)
            except FaregateError as error:
                return Refused(type(error), f"row {len(rows)}")
            rows.append((basket, rate.parts_per_million, net, vat, gross))
    return rows


def rate_of(voucher: Voucher) -> int:
    return NOT_PREPAID if voucher.single_purpose is None else voucher.single_purpose.parts_per_million


def _listed(columns: tuple[npt.NDArray[Any], ...]) -> list[tuple[int, ...]]:
    return [*zip(*(column.tolist() for column in columns), strict=True)]


@given(sized(_redemptions(), sizes))
def test_prepaid_breakdown_matches_the_scalar_in_every_basket(baskets: list[list[Redemption]]) -> None:
    flat = [paid for basket in baskets for paid in basket]
    paid, rates = column_of([own.amount for own in flat]), column_of([rate_of(own.voucher) for own in flat])
    redeemed = column_of([own.voucher.redeemed for own in flat])
    offsets = column_of([sum(map(len, baskets[:row])) for row in range(len(baskets) + 1)])

    found = outcome(lambda: _listed(prepaid_breakdown(paid, rates, offsets=offsets, redeemed=redeemed)))

    assert found == breakdown_by_basket(baskets)
