"""What codes allow in all: uses and budgets of promo codes, balances of vouchers. Decisions §3.4, §6.

An allowance is to a code what its places are to a pool: what is claimed of it, together, never exceeds it.
The catalogue says how much there is; who keeps the books says how much of it others have spent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from faregate.amount_due.vouchers import Voucher
    from faregate.catalogue.catalogue import Catalogue
    from faregate.discounts.kinds import PromoCode


class LimitKind(Enum):
    """What a code has only so much of; a budget and a balance are in minor units."""

    USES = "uses"
    BUDGET = "budget"
    BALANCE = "balance"


@dataclass(frozen=True, slots=True)
class CodeLimit:
    """What there is only so much of, and of which code."""

    kind: LimitKind
    code: str


def code_limits(codes: Iterable[str], catalogue: Catalogue) -> dict[CodeLimit, int]:
    """What *codes* allow in all, by the catalogue; of what is unlimited there is none.

    >>> from faregate import Catalogue, Voucher
    >>> code_limits(["gift"], Catalogue(vouchers=(Voucher(code="GIFT", balance=5000),)))
    {CodeLimit(kind=<LimitKind.BALANCE: 'balance'>, code='GIFT'): 5000}
    """
    return {allowance: size for code in codes for allowance, size in _allowances(code, catalogue)}


def _allowances(code: str, catalogue: Catalogue) -> Iterator[tuple[CodeLimit, int]]:
    promo_code = catalogue.promo_code(code)
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
    codes: Iterable[str], catalogue: Catalogue, spent: Mapping[CodeLimit, int]
) -> tuple[dict[str, PromoCode], dict[str, Voucher]]:
    """The promo codes and the vouchers that *codes* spell, by code, with what others have *spent* taken off.

    What is spelled twice is there once, what is unknown not at all.
    """
    promo_codes: dict[str, PromoCode] = {}
    vouchers: dict[str, Voucher] = {}
    for code in codes:
        promo_code, voucher = catalogue.promo_code(code), catalogue.voucher(code)
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
