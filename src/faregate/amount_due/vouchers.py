"""Vouchers: a means of payment that changes neither the totals nor the tax. Decisions §6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked
from faregate.basket.lines import Cart
from faregate.basket.policy import SinglePurposeRest
from faregate.dates.instants import in_utc
from faregate.discounts.eligibility import Context, RejectionReason, selected, sum_at
from faregate.discounts.kinds import EVERYTHING, Scope, normalize_code
from faregate.errors import ContextRequired, InvalidVoucher
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatAmount, VatRate, net_from_gross

_NEVER = datetime.max.replace(tzinfo=UTC)


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidVoucher, balance=Whole(0), face_value=Whole(0, or_none=True))
class Voucher:
    """A stored-value voucher, which cannot pay from ``expires_at`` onwards.

    ``single_purpose`` is the VAT rate charged when a single-purpose voucher was sold. Such a voucher pays
    only for goods taxed at this rate and within *scope*. It must have a ``face_value``: the face value less
    the balance is the amount already redeemed.

    >>> Voucher(code="LUNCH", balance=1000, face_value=5000, single_purpose=VatRate.percent("2.6")).redeemed
    4000

    Raises:
        InvalidVoucher: the balance is negative, the code is empty, the expiry has no UTC offset, or
            ``face_value`` or ``scope`` does not fit ``single_purpose``.
    """

    code: str
    balance: MinorUnits
    expires_at: datetime | None = None
    single_purpose: VatRate | None = None
    face_value: MinorUnits | None = None
    scope: Scope = EVERYTHING

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", normalize_code(self.code))
        if not self.code:
            raise InvalidVoucher("voucher code is empty")
        if self.expires_at is not None and self.expires_at.tzinfo is None:
            raise InvalidVoucher(f"voucher {self.code}: the expiry {self.expires_at} has no UTC offset")
        if self.single_purpose is not None:
            if self.face_value is None or self.face_value < self.balance:
                raise InvalidVoucher(
                    f"voucher {self.code}: a single-purpose voucher needs a face_value of at least its "
                    f"balance of {self.balance}, got {self.face_value!r}"
                )
        elif self.face_value is not None or self.scope != EVERYTHING:
            raise InvalidVoucher(
                f"voucher {self.code}: face_value and scope belong to single-purpose vouchers; "
                "give single_purpose, or leave them out"
            )

    @property
    def redeemed(self) -> MinorUnits:
        """Amount already paid with this voucher if it is single-purpose; otherwise 0."""
        return 0 if self.face_value is None else self.face_value - self.balance


@public_value
@dataclass(frozen=True, slots=True)
class Redemption:
    """The amount that a voucher pays or, if it cannot pay, the reason why not.

    The reason is EXPIRED, USED_UP, or NOT_APPLICABLE (no goods that the single-purpose voucher may pay for).
    An amount of 0 without a reason means that nothing is left to pay.
    """

    voucher: Voucher
    amount: MinorUnits
    _: KW_ONLY
    reason: RejectionReason | None = None

    @property
    def balance_left(self) -> MinorUnits:
        """Balance that remains on the voucher."""
        return self.voucher.balance - self.amount


class Goods(NamedTuple):
    """Goods that single-purpose vouchers may pay for: ``gross[i]`` is the price of line *i* of ``cart``."""

    cart: Cart
    gross: Sequence[MinorUnits]
    context: Context
    rest: SinglePurposeRest = SinglePurposeRest.KEEP

    def payable(self, rate: VatRate, scope: Scope) -> list[int]:
        """Return the indices of the lines that a voucher with *rate* and *scope* may pay for."""
        rates, parts = self.cart.rates, rate.parts_per_million
        among = [n for n, own in enumerate(rates) if self.gross[n] and own.parts_per_million == parts]
        lines = [*selected(scope, self.cart, among, self.context)]
        if self.rest is SinglePurposeRest.REFUSE and len(lines) < sum(map(bool, self.gross)):
            return []
        return lines


def redeem(
    vouchers: Sequence[Voucher],
    due: MinorUnits,
    *,
    at: datetime | None = None,
    goods: Goods | None = None,
) -> tuple[Redemption, ...]:
    """Pay *due* with *vouchers*: earliest expiry first, then smallest balance, then code.

    Single-purpose vouchers come before all others (first those with a scope), so that the most restricted
    balance is spent first. They pay only for *goods*. The redemptions are returned in the order of
    *vouchers*. *at*, the instant of the payment, is required if a voucher can expire.

    >>> [r.amount for r in redeem([Voucher(code="A", balance=9000), Voucher(code="B", balance=3000)], 6300)]
    [3300, 3000]

    Raises:
        InvalidVoucher: two vouchers have the same code.
        ContextRequired: *at* is missing for a voucher that can expire, or *goods* for a single-purpose one.
    """
    left = [] if goods is None else [*goods.gross]
    if len(vouchers) == 1:
        return (_redemption(vouchers[0], due, at, goods, left),)
    codes = [voucher.code for voucher in vouchers]
    if len(set(codes)) < len(codes):
        raise InvalidVoucher(f"expected vouchers with different codes, got {codes}")
    paid = {}
    for voucher in sorted(vouchers, key=redemption_order):
        redemption = _redemption(voucher, due, at, goods, left)
        paid[voucher.code] = redemption
        due -= redemption.amount
    return tuple([paid[code] for code in codes])


def _redemption(
    voucher: Voucher, due: MinorUnits, at: datetime | None, goods: Goods | None, left: list[MinorUnits]
) -> Redemption:
    """Pay *due* with one voucher; a single-purpose voucher reduces *left*, the unpaid price of each line."""
    if _is_expired(voucher, at):
        return Redemption(voucher, 0, reason=RejectionReason.EXPIRED)
    reason = None if voucher.balance else RejectionReason.USED_UP
    if voucher.single_purpose is None:
        return Redemption(voucher, min(voucher.balance, due), reason=reason)
    if goods is None:
        raise ContextRequired(rule=f"single-purpose voucher {voucher.code}", needs="the goods")
    lines = goods.payable(voucher.single_purpose, voucher.scope)
    if not lines:
        return Redemption(voucher, 0, reason=reason or RejectionReason.NOT_APPLICABLE)
    amount = rest = min(voucher.balance, due, sum_at(left, lines))
    for index in lines:
        taken = min(left[index], rest)
        left[index] -= taken
        rest -= taken
    return Redemption(voucher, amount, reason=reason)


def redemption_order(voucher: Voucher) -> tuple[int, datetime, MinorUnits, str]:
    """Return the sort key for the order in which vouchers pay."""
    breadth = 2 if voucher.single_purpose is None else voucher.scope == EVERYTHING
    expires = voucher.expires_at
    return breadth, _NEVER if expires is None else in_utc(expires), voucher.balance, voucher.code


def _is_expired(voucher: Voucher, at: datetime | None) -> bool:
    if voucher.expires_at is None:
        return False
    if at is None:
        raise ContextRequired(rule=f"voucher {voucher.code}", needs="the instant")
    return in_utc(at) >= voucher.expires_at


def prepaid_breakdown(redemptions: Sequence[Redemption]) -> tuple[VatAmount, ...]:
    """Return the amounts paid with single-purpose vouchers, per rate, as negative amounts.

    The tax was charged when the voucher was sold. The tax on a redemption is the tax on everything redeemed
    so far, less the tax on earlier redemptions, so that they add up to the tax charged at the sale.

    >>> rate = VatRate.percent("2.6")
    >>> lunch = Voucher(code="L", balance=2052, face_value=2052, single_purpose=rate)
    >>> prepaid_breakdown([Redemption(lunch, 2052)])
    (VatAmount(rate=VatRate(parts_per_million=26000), net=-2000, vat=-52, gross=-2052),)
    """
    paid: dict[int, VatAmount] = {}
    for redemption in redemptions:
        voucher, gross = redemption.voucher, redemption.amount
        rate = voucher.single_purpose
        if rate is None or not gross:
            continue
        before = voucher.redeemed
        net = net_from_gross(before + gross, rate) - net_from_gross(before, rate)
        row = paid.get(rate.parts_per_million, VatAmount(rate, 0, 0, 0))
        paid[rate.parts_per_million] = VatAmount(
            min(row.rate, rate), row.net - net, row.vat + net - gross, row.gross - gross
        )
    return tuple([paid[parts] for parts in sorted(paid)]) if paid else ()
