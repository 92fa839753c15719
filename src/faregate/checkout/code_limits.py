"""Limits on codes: the uses and budgets of promo codes, and the balances of vouchers. Decisions §3.4, §6.

All uses of a code together never exceed its limits, just as held units never exceed a pool's size. The
limits come from the catalogue; the caller passes the amounts already spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from faregate._values import public_value
from faregate.amount_due.vouchers import Voucher
from faregate.catalogue.catalogue import Catalogue
from faregate.discounts.kinds import PromoCode, normalize_code


class LimitKind(Enum):
    """A kind of limit on a code; budgets and balances are in minor units."""

    USES = "uses"
    BUDGET = "budget"
    BALANCE = "balance"


@public_value
@dataclass(frozen=True, slots=True)
class CodeLimit:
    """A limit on a code, identified by the kind of limit and the code."""

    kind: LimitKind
    code: str


def promo_code_of(code: str, catalogue: Catalogue, outside: Sequence[PromoCode]) -> PromoCode | None:
    """Return the promo code *code* from *catalogue* or *outside*; None if it is unknown or a voucher."""
    found = catalogue.promo_code(code)
    if found is not None or not outside or catalogue.voucher(code) is not None:
        return found
    entered = normalize_code(code)
    return next((promo_code for promo_code in outside if promo_code.code == entered), None)


def code_limits(
    codes: Iterable[str], catalogue: Catalogue, outside: Sequence[PromoCode] = ()
) -> dict[CodeLimit, int]:
    """Return the limits of *codes*, found in *catalogue* or *outside*; unlimited codes are left out.

    >>> from faregate import Catalogue, Voucher
    >>> code_limits(["gift"], Catalogue(vouchers=(Voucher(code="GIFT", balance=5000),)))
    {CodeLimit(kind=<LimitKind.BALANCE: 'balance'>, code='GIFT'): 5000}
    """
    return {allowance: size for code in codes for allowance, size in _allowances(code, catalogue, outside)}


def _allowances(
    code: str, catalogue: Catalogue, outside: Sequence[PromoCode]
) -> Iterator[tuple[CodeLimit, int]]:
    promo_code = promo_code_of(code, catalogue, outside)
    if promo_code is not None:
        if promo_code.uses_left is not None:
            yield CodeLimit(LimitKind.USES, promo_code.code), max(promo_code.uses_left, 0)
        if promo_code.budget_left is not None:
            yield CodeLimit(LimitKind.BUDGET, promo_code.code), max(promo_code.budget_left, 0)
        return
    voucher = catalogue.voucher(code)
    if voucher is not None:
        yield CodeLimit(LimitKind.BALANCE, voucher.code), voucher.balance


def remaining_balances(
    codes: Iterable[str],
    catalogue: Catalogue,
    spent: Mapping[CodeLimit, int],
    outside: Sequence[PromoCode] = (),
) -> tuple[dict[str, PromoCode], dict[str, Voucher]]:
    """Return the promo codes and vouchers for *codes*, keyed by code, with limits reduced by *spent*.

    *spent* is the part of each limit that other checkouts have used. Repeated codes appear once; unknown
    codes are left out.
    """
    promo_codes: dict[str, PromoCode] = {}
    vouchers: dict[str, Voucher] = {}
    for code in codes:
        promo_code, voucher = promo_code_of(code, catalogue, outside), catalogue.voucher(code)
        if promo_code is not None:
            promo_codes[promo_code.code] = _promo_code_left(promo_code, spent) if spent else promo_code
        elif voucher is not None:
            vouchers[voucher.code] = _voucher_left(voucher, spent) if spent else voucher
    return promo_codes, vouchers


def _promo_code_left(promo_code: PromoCode, spent: Mapping[CodeLimit, int]) -> PromoCode:
    uses, budget = promo_code.uses_left, promo_code.budget_left
    used = spent.get(CodeLimit(LimitKind.USES, promo_code.code), 0)
    taken = spent.get(CodeLimit(LimitKind.BUDGET, promo_code.code), 0)
    if not (used or taken):
        return promo_code
    return replace(
        promo_code,
        uses_left=None if uses is None else uses - used,
        budget_left=None if budget is None else budget - taken,
    )


def _voucher_left(voucher: Voucher, spent: Mapping[CodeLimit, int]) -> Voucher:
    paid = spent.get(CodeLimit(LimitKind.BALANCE, voucher.code), 0)
    return replace(voucher, balance=max(voucher.balance - paid, 0)) if paid else voucher
