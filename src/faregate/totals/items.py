"""The totals of each item: the amounts of a line, allocated to its items. Decisions §3.1."""

from __future__ import annotations

from collections.abc import Sequence

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.automatic import of_items
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import InvalidLines
from faregate.money.allocation import allocate_in_turn, apportion
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, LineTotals


def item_totals(totals: CheckoutTotals, members: Sequence[Sequence[int]]) -> tuple[LineTotals, ...]:
    """Return the totals of every item; the items of a line are in ascending order of id.

    *members* has the item ids of each line, as in ``PricingLines``. Automatic discounts are assigned to one
    item after another, in the order of ``LineTotals.auto_discounts``. Promo codes are allocated in the order
    applied, in proportion to the amounts left on the items, so that no item goes below 0. The items' net
    amounts add up to the line's net amount.

    >>> from faregate.discounts.kinds import Absolute, PromoCode
    >>> from faregate.basket.lines import pricing_lines
    >>> from faregate.basket.lines import Line
    >>> from faregate.tax.rates import VatRate
    >>> from faregate.totals.pipeline import checkout_totals
    >>> item = Line(key=1, unit_price=1000, quantity=1, rate=VatRate.percent("8.1"))
    >>> joined = pricing_lines([item, item._replace(key=2), item._replace(key=3)])
    >>> priced = checkout_totals(joined.lines, promo_codes=[PromoCode(code="TEN", kind=Absolute(1000))])
    >>> [item.total_gross for item in item_totals(priced, joined.members)]
    [666, 667, 667]

    Raises:
        InvalidLines: the number of items of a line differs from its quantity.
    """
    applied = sorted(
        (result for result in totals.promo_codes if isinstance(result, AppliedCode)),
        key=lambda result: result.position,
    )
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


def _items_of(
    row: LineTotals, ids: Sequence[int], promo_shares: Sequence[MinorUnits], policy: TotalsPolicy
) -> list[LineTotals]:
    count = len(ids)
    in_net = policy.price_basis is PriceBasis.NET
    price = (row.list_price_net if in_net else row.list_price_gross) // count
    winners = of_items(row.auto_discounts, count)
    automatic = [0 if winner is None else winner.amount for winner in winners]
    after_auto = [price - share for share in automatic]
    _, left = allocate_in_turn(promo_shares, after_auto)
    discounts = [price - total for total in left]
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
            promo_code_discount=after_auto[n] - (nets[n] if in_net else left[n]),
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
    conversion = rate.to_gross if policy.price_basis is PriceBasis.NET else rate.to_net
    shares = [0] * len(amounts)
    apportion(shares, amounts, range(len(amounts)), conversion.numerator, conversion.denominator, target)
    return shares
