"""Vouchers: means of payment, which change no total and no tax. Decisions §6."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from faregate.dates import in_utc
from faregate.discounts import normalize_code
from faregate.errors import ContextRequired, InvalidVoucher
from faregate.tax import VatAmount, VatRate, net_from_gross

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate.money import MinorUnits

__all__ = ["Redemption", "Voucher", "prepaid_breakdown", "redeem"]

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Voucher:
    """A stored value. ``expires_at`` is exclusive; ``single_purpose`` is the rate paid when it was sold.

    Raises:
        InvalidVoucher: the balance is no int of at least 0, the code empty, or the expiry naive.
    """

    code: str
    balance: MinorUnits
    expires_at: datetime | None = None
    single_purpose: VatRate | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", normalize_code(self.code))
        if not self.code or type(self.balance) is not int or self.balance < 0:
            raise InvalidVoucher(f"voucher {self.code!r} with a balance of {self.balance!r}")
        if self.expires_at is not None and self.expires_at.tzinfo is None:
            raise InvalidVoucher(f"voucher {self.code}: {self.expires_at} lacks its offset")


class Redemption(NamedTuple):
    """What a voucher pays; an expired one pays 0."""

    voucher: Voucher
    amount: MinorUnits

    @property
    def balance_left(self) -> MinorUnits:
        """What stays on the voucher."""
        return self.voucher.balance - self.amount


def redeem(
    vouchers: Sequence[Voucher], due: MinorUnits, *, at: datetime | None = None
) -> tuple[Redemption, ...]:
    """Pay *due* with *vouchers*: earliest expiry first, then the smaller balance, then the code.

    The answer keeps the order of the argument. *at* is needed where a voucher can expire.

    >>> [r.amount for r in redeem([Voucher(code="A", balance=9000), Voucher(code="B", balance=3000)], 6300)]
    [3300, 3000]

    Raises:
        InvalidVoucher: a code is given twice.
        ContextRequired: a voucher expires and *at* is None.
    """
    if not vouchers:
        return ()
    order = vouchers
    if len(vouchers) > 1:
        order = sorted(vouchers, key=_redemption_order)
        if len({voucher.code for voucher in vouchers}) < len(vouchers):
            raise InvalidVoucher(f"a voucher is given twice: {[voucher.code for voucher in vouchers]}")
    amounts = {}
    for voucher in order:
        amount = 0 if _is_expired(voucher, at) else min(voucher.balance, due)
        amounts[voucher.code] = amount
        due -= amount
    return tuple([Redemption(voucher, amounts[voucher.code]) for voucher in vouchers])


def _redemption_order(voucher: Voucher) -> tuple[datetime, MinorUnits, str]:
    expires = voucher.expires_at
    return _NEVER if expires is None else in_utc(expires), voucher.balance, voucher.code


def _is_expired(voucher: Voucher, at: datetime | None) -> bool:
    if voucher.expires_at is None:
        return False
    if at is None:
        raise ContextRequired(rule=f"voucher {voucher.code}", needs="the instant")
    return in_utc(at) >= voucher.expires_at


def prepaid_breakdown(redemptions: Sequence[Redemption]) -> tuple[VatAmount, ...]:
    """What single-purpose vouchers paid, per rate, as negative amounts: their tax was due when sold.

    >>> lunch = Voucher(code="L", balance=2052, single_purpose=VatRate.percent("2.6"))
    >>> prepaid_breakdown(redeem([lunch], 2052))
    (VatAmount(rate=VatRate(parts_per_million=26000), net=-2000, vat=-52, gross=-2052),)
    """
    paid: dict[VatRate, MinorUnits] = {}
    for voucher, amount in redemptions:
        if voucher.single_purpose is not None and amount:
            paid[voucher.single_purpose] = paid.get(voucher.single_purpose, 0) + amount
    if not paid:
        return ()
    return tuple(
        VatAmount(rate, -net, net - gross, -gross)
        for rate, gross in sorted(paid.items())
        for net in [net_from_gross(gross, rate)]
    )
