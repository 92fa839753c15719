"""The totals of each item: the amounts of a line, allocated to its items. Decisions §3.1."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.automatic import LineDiscount, of_items
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import InvalidLines
from faregate.money.allocation import allocate, allocate_in_turn, apportion
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import GrossNet, VatLevel, VatRate
from faregate.totals.pipeline import CheckoutTotals, LineTotals


def item_totals(totals: CheckoutTotals, members: Sequence[Sequence[int]]) -> tuple[LineTotals, ...]:
    """Return the totals of every item; the items of a line are in ascending order of id.

    *members* has the item ids of each line, as in ``PricingLines``. Automatic discounts are assigned to one
    item after another, in the order of ``LineTotals.auto_discounts``. Promo codes are allocated in the order
    applied, in proportion to the amounts left on the items, so that no item goes below 0. The items' net
    amounts add up to the line's net amount.

    >>> from faregate import Absolute, Line, PromoCode, VatRate, checkout_totals, pricing_lines
    >>> item = Line(key=1, unit_price=1000, quantity=1, rate=VatRate.percent("8.1"))
    >>> joined = pricing_lines([item, item._replace(key=2), item._replace(key=3)])
    >>> priced = checkout_totals(joined.lines, promo_codes=[PromoCode(code="TEN", kind=Absolute(1000))])
    >>> [item.total_gross for item in item_totals(priced, joined.members)]
    [666, 667, 667]

    Raises:
        InvalidLines: the number of items of a line differs from its quantity.
    """
    applied = applied_codes(totals)
    items: list[LineTotals] = []
    for index, (row, ids) in enumerate(zip(totals.lines, members, strict=True)):
        if len(ids) != row.quantity:
            raise InvalidLines(f"line {row.key} has quantity {row.quantity} but {len(ids)} items")
        if len(ids) == 1:
            items.append(row if row.key == ids[0] else row._replace(key=ids[0]))
            continue
        promo = [result.shares[index] for result in applied]
        items.extend(_items_of(row, sorted(ids), promo, totals.request.policy))
    return tuple(items)


class _Split(NamedTuple):
    """The price of each item of a line in the price basis, and the discounts on it."""

    winners: list[LineDiscount | None]
    automatic: list[MinorUnits]
    left: Sequence[MinorUnits]
    discounts: list[MinorUnits]


def _split(row: LineTotals, count: int, promo_shares: Sequence[MinorUnits], policy: TotalsPolicy) -> _Split:
    price = (row.list_price_net if policy.price_basis is PriceBasis.NET else row.list_price_gross) // count
    winners = of_items(row.auto_discounts, count)
    automatic = [0 if winner is None else winner.amount for winner in winners]
    _, left = allocate_in_turn(promo_shares, [price - share for share in automatic])
    return _Split(winners, automatic, left, [price - total for total in left])


def unit_amounts(
    line: LineTotals, promo_shares: Sequence[MinorUnits], policy: TotalsPolicy
) -> tuple[GrossNet, ...]:
    """Return the gross and net total of each unit of *line*, as in ``item_totals``.

    *promo_shares* has the amounts that promo codes take off the line, in the order applied.

    >>> from faregate import Line, checkout_totals
    >>> totals = checkout_totals([Line(1, 1000, 3, VatRate.percent("8.1"))])
    >>> [unit.net for unit in unit_amounts(totals.lines[0], (), totals.request.policy)]
    [925, 925, 925]
    """
    if line.quantity == 1:
        return (GrossNet(line.total_gross, line.total_net),)
    left = _split(line, line.quantity, promo_shares, policy).left
    if policy.price_basis is PriceBasis.NET:
        return tuple(map(GrossNet, _given_back(left, line.rate, line.total_gross, policy), left))
    return tuple(map(GrossNet, left, _given_back(left, line.rate, line.total_net, policy)))


def applied_codes(totals: CheckoutTotals) -> list[AppliedCode]:
    """Return the valid codes in the order applied."""
    applied = [result for result in totals.promo_codes if isinstance(result, AppliedCode)]
    return sorted(applied, key=attrgetter("position"))


def _items_of(
    row: LineTotals, ids: Sequence[int], promo_shares: Sequence[MinorUnits], policy: TotalsPolicy
) -> list[LineTotals]:
    count = len(ids)
    in_net = policy.price_basis is PriceBasis.NET
    winners, automatic, left, discounts = _split(row, count, promo_shares, policy)
    if in_net:
        nets, discount_nets = left, discounts
        left = _given_back(left, row.rate, row.total_gross, policy)
        discounts = _given_back(discounts, row.rate, row.total_discount_gross, policy)
    else:
        nets = _given_back(left, row.rate, row.total_net, policy)
        discount_nets = _given_back(discounts, row.rate, row.total_discount_net, policy)
    return [
        LineTotals(
            key=ids[n],
            quantity=1,
            rate=row.rate,
            list_price_gross=left[n] + discounts[n],
            list_price_net=nets[n] + discount_nets[n],
            auto_discount=None if (winner := winners[n]) is None else winner.discount,
            auto_shares=(),
            auto_discount_amount=automatic[n],
            promo_code_discount=(discount_nets[n] if in_net else discounts[n]) - automatic[n],
            total_discount_gross=discounts[n],
            total_discount_net=discount_nets[n],
            total_gross=left[n],
            total_net=nets[n],
        )
        for n in range(count)
    ]


def _given_back(
    amounts: Sequence[MinorUnits], rate: VatRate, target: MinorUnits, policy: TotalsPolicy
) -> list[MinorUnits]:
    """Convert the items' amounts from gross to net or, with net prices, to gross; they add up to *target*."""
    if policy.vat_level is VatLevel.UNIT:  # roundings add up, so the target can be far from the exact value
        return [*allocate(target, amounts)]
    conversion = rate.to_gross if policy.price_basis is PriceBasis.NET else rate.to_net
    shares = [0] * len(amounts)
    apportion(shares, amounts, range(len(amounts)), conversion.numerator, conversion.denominator, target)
    return shares


WITHOUT_PARTS = "expected the lines of the request: use the totals before with_parts"
"""Message for a caller who gives totals with parts where whole lines are needed."""


def has_parts(totals: CheckoutTotals) -> bool:
    """True if *totals* have other lines than their request, as after ``with_parts``."""
    requested = {line.key: line.quantity for line in totals.request.lines}
    return any(requested.pop(line.key, None) != line.quantity for line in totals.lines)
