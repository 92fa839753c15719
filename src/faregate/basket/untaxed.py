"""The lines of a basket for a customer who pays no VAT. Decisions §4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from faregate._values import public_value
from faregate.arguments.checks import checked, option, rows
from faregate.basket.lines import Cart, Line, in_plain_ints
from faregate.basket.policy import PriceBasis
from faregate.errors import InvalidLines, InvalidRate
from faregate.tax.rates import VatCategory, VatRate, gross_from_net, net_from_gross


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRate)
class UntaxedCustomer:
    """A customer who is exempt from VAT or owes it in their own country (reverse charge).

    ``rate`` is the rate of 0 % that replaces the rates above 0, with its category and reason. ``kept`` is the
    price that the customer pays: the usual net price, or the usual gross price.

    >>> school = UntaxedCustomer(rate=VatRate(parts_per_million=0, category=VatCategory.AE, reason="B2B"))
    >>> ticket = Line(1, unit_price=10810, quantity=2, rate=VatRate.percent("8.1"))
    >>> [line.unit_price for line in untaxed_lines([ticket], school, basis=PriceBasis.GROSS)]
    [10000]

    Raises:
        InvalidRate: the rate is above 0.
        InvalidOption: ``kept`` is unknown.
    """

    rate: VatRate
    kept: PriceBasis = PriceBasis.NET

    def __post_init__(self) -> None:
        if self.rate.category is VatCategory.S:
            raise InvalidRate(f"rate is {self.rate}, expected 0 % because the customer pays no VAT")


def untaxed_lines(lines: Iterable[Line], customer: UntaxedCustomer, *, basis: PriceBasis) -> tuple[Line, ...]:
    """Return *lines* as *customer* buys them; prices in *basis* are converted per unit if another is kept.

    The unit price, the floor price and the price of later periods are each rounded once. Lines at 0 % do not
    change. Amounts of discounts are not converted: they apply to the converted prices.

    Raises:
        InvalidLines: a line is invalid; the error lists every issue.
        InvalidOption: *basis* is unknown.
    """
    basis = option(PriceBasis, basis, "basis")
    found = in_plain_ints(rows("lines", lines, InvalidLines, (Line,)))
    Cart.of(found)
    return tuple([_untaxed(line, customer, basis) for line in found])


def _untaxed(line: Line, customer: UntaxedCustomer, basis: PriceBasis) -> Line:
    if line.rate.category is not VatCategory.S:
        return line
    if customer.kept is basis:
        return line._replace(rate=customer.rate)
    convert = gross_from_net if basis is PriceBasis.NET else net_from_gross
    later = line.recurring_price
    return line._replace(
        rate=customer.rate,
        unit_price=convert(line.unit_price, line.rate),
        floor_price=convert(line.floor_price, line.rate),
        recurring_price=None if later is None else convert(later, line.rate),
    )
