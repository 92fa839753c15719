"""Refund quotes: the amounts paid back, per line, VAT rate and means of payment. Decisions §20."""

from __future__ import annotations

from dataclasses import dataclass

from faregate._values import public_value
from faregate.money.amounts import MinorUnits
from faregate.refunds.orders import Payment
from faregate.tax.rates import VatAmount, VatRate


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class LineRefund:
    """Amounts paid back, kept and charged for one line.

    ``credited`` has the amount given back for each unit of the line, before anything is kept or charged. With
    ``RefundBasis.REPRICE``, units that stay may have one too, if they are cheaper without the returned units.
    """

    line: int
    units: tuple[int, ...]
    """Positions of the units returned now."""
    rate: VatRate
    paid: MinorUnits
    """Price that the units returned now had paid."""
    credited: tuple[MinorUnits, ...]
    gross: MinorUnits
    """Sum of ``credited``."""
    net: MinorUnits
    kept_gross: MinorUnits = 0
    """Part of ``gross`` that is not refundable."""
    kept_net: MinorUnits = 0
    fee: MinorUnits = 0
    """Fee charged for the line, including VAT."""

    @property
    def refund(self) -> MinorUnits:
        """Amount paid back for the line."""
        return self.gross - self.kept_gross - self.fee


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedCode:
    """The part of a promo code's budget that can be used again, and the number of uses (0 or 1)."""

    code: str
    amount: MinorUnits
    uses: int


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class RefundQuote:
    """Amounts paid back for one return.

    The gross amounts of ``vat_breakdown`` plus the donation, less those of ``fees``, are ``amount``; so are
    ``payments`` and ``vouchers`` together. Rows are in ascending order of rate.
    """

    lines: tuple[LineRefund, ...]
    vat_breakdown: tuple[VatAmount, ...]
    """Reduction of the price at each rate and category, for a credit note."""
    kept: tuple[VatAmount, ...]
    """Price of returned units that is not refundable."""
    fees: tuple[VatAmount, ...]
    donation: MinorUnits
    amount: MinorUnits
    payments: tuple[Payment, ...]
    vouchers: tuple[Payment, ...]
    """Balances to give back, by voucher code."""
    prepaid: tuple[VatAmount, ...]
    """Part of ``vouchers`` for single-purpose vouchers, with the tax as it was declared at redemption."""
    codes: tuple[ReleasedCode, ...]
