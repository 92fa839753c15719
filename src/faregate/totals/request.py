"""The arguments of a pricing request, checked once before pricing. Decisions §1.4."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from faregate._values import public_value
from faregate.amount_due.vouchers import Voucher
from faregate.arguments.checks import rows, whole
from faregate.arguments.fields import new_row
from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.eligibility import Context, check_context
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode
from faregate.errors import InvalidAmount, InvalidDiscount, InvalidInput, InvalidLines, InvalidVoucher
from faregate.money.amounts import MinorUnits

DEFAULT_POLICY = TotalsPolicy()
NO_CONTEXT = Context()
_AUTOMATIC, _CODES, _VOUCHERS = (AutomaticDiscount,), (PromoCode, UnknownCode), (Voucher,)


@public_value
class PricingRequest(NamedTuple):
    """All inputs for pricing a basket: the arguments of ``checkout_totals``."""

    lines: tuple[Line, ...]
    automatic: tuple[AutomaticDiscount, ...]
    promo_codes: tuple[PromoCode | UnknownCode, ...]
    donation: MinorUnits
    vouchers: tuple[Voucher, ...]
    policy: TotalsPolicy
    context: Context


def request_of(
    lines: Iterable[Line],
    automatic: Iterable[AutomaticDiscount],
    promo_codes: Iterable[PromoCode | UnknownCode],
    donation: MinorUnits,
    vouchers: Iterable[Voucher],
    policy: TotalsPolicy,
    context: Context,
) -> PricingRequest:
    """Return the arguments of ``checkout_totals`` as one value that shares no list with the caller.

    The fields of the lines are checked by ``faregate.basket.lines.Cart.of``.

    Raises:
        InvalidInput: an argument has the wrong type, or the donation is negative; raised as a subclass such
            as ``InvalidLines``, depending on the argument.
    """
    if type(donation) is not int or donation < 0:
        donation = whole(donation, "donation", InvalidAmount, 0)
    if type(policy) is not TotalsPolicy:
        raise InvalidInput(f"policy is {policy!r}, expected a TotalsPolicy")
    if context is not NO_CONTEXT:
        check_context(context)
    return new_row(
        PricingRequest,
        (
            tuple(lines) if type(lines) is list else rows("lines", lines, InvalidLines),
            () if automatic == () else rows("automatic", automatic, InvalidDiscount, _AUTOMATIC),
            () if promo_codes == () else rows("promo_codes", promo_codes, InvalidDiscount, _CODES),
            donation,
            () if vouchers == () else rows("vouchers", vouchers, InvalidVoucher, _VOUCHERS),
            policy,
            context,
        ),
    )
