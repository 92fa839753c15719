"""Prices made of parts that have different VAT rates, such as a ticket with a meal. Decisions §4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter
from typing import NamedTuple

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked, require, rows
from faregate.basket.lines import Cart, Line
from faregate.basket.policy import PriceBasis
from faregate.discounts.automatic import AppliedAutomatic, LineDiscount
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import InvalidLines, Issue, Issues
from faregate.money.allocation import allocate, allocate_in_turn
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatLevel, VatRate
from faregate.totals.items import applied_codes, has_parts
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.vat import tax


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidLines, value=Whole(0))
class PricePart:
    """A part of a price: its VAT rate, and its value, such as the price for which it is sold alone."""

    rate: VatRate
    value: MinorUnits


class _Row(NamedTuple):
    """A line, or a part of it: its list price, and the amount that each discount takes off it."""

    line: LineTotals
    rate: VatRate
    list_price: MinorUnits
    shares: tuple[MinorUnits, ...]
    is_whole: bool


def with_parts(totals: CheckoutTotals, parts: Mapping[int, Sequence[PricePart]]) -> CheckoutTotals:
    """Return *totals* with lines split into *parts*, by line key, and with the tax on the parts.

    The list price of a line is allocated to its parts in proportion to their values, and each discount in
    proportion to what is left. Gross amounts stay the same. Every part is a line with the key of its line
    and a quantity of 1; ``request`` keeps the whole lines. Use the result for books and invoices; store and
    explain the original totals.

    >>> from faregate import checkout_totals
    >>> show = PricePart(rate=VatRate.percent("8.1"), value=6000)
    >>> meal = PricePart(rate=VatRate.percent("2.6"), value=4000)
    >>> totals = checkout_totals([Line(1, unit_price=9000, quantity=1, rate=VatRate.percent("8.1"))])
    >>> [(line.total_gross, line.total_net) for line in with_parts(totals, {1: [show, meal]}).lines]
    [(5400, 4995), (3600, 3509)]

    Raises:
        InvalidLines: *parts* names a line that the checkout does not have, or gives it parts without value;
            or the totals have parts already, prices are net, the tax is rounded per unit, or the checkout has
            subscriptions or single-purpose vouchers.
    """
    _check(totals, parts)
    applied: list[AppliedAutomatic | AppliedCode] = [*totals.auto_discounts, *applied_codes(totals)]
    split: list[_Row] = []
    for index, line in sorted(enumerate(totals.lines), key=lambda own: own[1].key):
        split.extend(_split(line, parts.get(line.key), [own.shares[index] for own in applied]))
    cart = Cart.of([Line(n, row.list_price, 1, row.rate) for n, row in enumerate(split)])
    gross, net, breakdown = tax(
        cart, [row.list_price - sum(row.shares) for row in split], totals.request.policy
    )
    net_list_prices, net_discounts, net_totals = net
    shares = list(zip(*[row.shares for row in split], strict=True))
    of_codes = {
        own.code: amounts
        for own, amounts in zip(applied, shares, strict=False)
        if isinstance(own, AppliedCode)
    }
    return totals._replace(
        lines=tuple(map(_line, split, repeat(totals.auto_discounts), *gross, *net)),
        list_price_net=sum(net_list_prices),
        promo_codes=tuple(
            [
                result._replace(shares=of_codes[result.code]) if isinstance(result, AppliedCode) else result
                for result in totals.promo_codes
            ]
        ),
        auto_discounts=tuple(
            [
                own._replace(shares=amounts)
                for own, amounts in zip(totals.auto_discounts, shares, strict=False)
            ]
        ),
        total_discount_net=sum(net_discounts),
        total_net=sum(net_totals) + totals.donation,
        vat_breakdown=breakdown,
    )


def _check(totals: CheckoutTotals, parts: Mapping[int, Sequence[PricePart]]) -> None:
    require(Mapping, parts, "parts", InvalidLines)
    request = totals.request
    refused = {
        "gross prices": request.policy.price_basis is PriceBasis.NET,
        "tax rounded per rate or line": request.policy.vat_level is VatLevel.UNIT,
        "the lines of the request": has_parts(totals),
        "no subscriptions": any(line.is_subscription for line in request.lines),
        "no single-purpose vouchers": any(paid.voucher.single_purpose for paid in totals.vouchers),
    }
    issues = Issues(Issue((), f"prices with parts need {need}") for need, found in refused.items() if found)
    keys = {line.key for line in totals.lines}
    for key, own in parts.items():
        if key not in keys:
            issues.add((), f"parts names line {key!r}, expected a line of the checkout: {sorted(keys)}")
        if not sum(part.value for part in rows(f"parts of line {key!r}", own, InvalidLines, (PricePart,))):
            issues.add((), f"the parts of line {key!r} have no value")
    issues.check(InvalidLines)


def _split(
    line: LineTotals, parts: Sequence[PricePart] | None, amounts: Sequence[MinorUnits]
) -> Iterator[_Row]:
    """Yield a row for each part of *line*, from which the discounts take *amounts*."""
    if parts is None:
        yield _Row(line, line.rate, line.list_price_gross, tuple(amounts), is_whole=True)
        return
    prices = allocate(line.list_price_gross, [part.value for part in parts])
    shares, _ = allocate_in_turn(amounts, prices)
    for n, part in enumerate(parts):
        yield _Row(line, part.rate, prices[n], tuple([share[n] for share in shares]), is_whole=False)


def _line(row: _Row, automatic: Sequence[AppliedAutomatic], *figures: MinorUnits) -> LineTotals:
    """Return the totals of *row*, whose *figures* are list price, discount and total, in gross and in net."""
    list_gross, gross_off, gross, list_net, net_off, net = figures
    if row.is_whole:
        return row.line._replace(list_price_net=list_net, total_discount_net=net_off, total_net=net)
    pairs = zip(automatic, row.shares, strict=False)
    own = tuple([LineDiscount(found.discount, 1, share) for found, share in pairs if share])
    of_automatic = sum([discount.amount for discount in own])
    return LineTotals(
        key=row.line.key,
        quantity=1,
        rate=row.rate,
        list_price_gross=list_gross,
        list_price_net=list_net,
        auto_discount=max(own, key=attrgetter("amount")).discount if own else None,
        auto_shares=own if len(own) > 1 else (),
        auto_discount_amount=of_automatic,
        promo_code_discount=gross_off - of_automatic,
        total_discount_gross=gross_off,
        total_discount_net=net_off,
        total_gross=gross,
        total_net=net,
    )
