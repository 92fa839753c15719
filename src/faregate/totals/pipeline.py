"""What a checkout costs: every figure of it and of its lines, in one pure function. Decisions §3–§6.

List prices, automatic discounts, promo codes, tax per rate with the net given back to the lines,
donation, vouchers, what is due. Everything is an ``int`` of minor units and is rounded once, where
``docs/decisions.md`` says.
"""

from __future__ import annotations

from itertools import repeat
from operator import add, itemgetter, sub
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from faregate.amount_due.vouchers import Goods, prepaid_breakdown, redeem
from faregate.basket.lines import Cart, Line, cart, in_plain_ints
from faregate.basket.policy import PriceBasis, SubscriptionBasis, TotalsPolicy
from faregate.discounts.automatic import Automatic, LineDiscount, best_automatic, of_items
from faregate.discounts.promo_codes import AppliedCode, Codes, apply_promo_codes
from faregate.errors import InvalidLines
from faregate.money.allocation import allocate_in_turn, apportion
from faregate.money.rounding import round_to_increment
from faregate.tax.rates import GrossNet, Tie, VatAmount, VatLevel, VatRate, convert_lines, give_back
from faregate.totals.request import DEFAULT_POLICY, NO_CONTEXT, PricingRequest, request_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from faregate.amount_due.vouchers import Redemption, Voucher
    from faregate.discounts.automatic import AppliedAutomatic
    from faregate.discounts.eligibility import Context
    from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode
    from faregate.discounts.promo_codes import CodeResult
    from faregate.money.amounts import MinorUnits

__all__ = [
    "CheckoutTotals",
    "Line",
    "LineTotals",
    "PricingRequest",
    "TotalsPolicy",
    "checkout_totals",
    "item_totals",
    "subscription_amounts",
]


class LineTotals(NamedTuple):
    """The figures of one line, or of one item (quantity 1).

    The two discount amounts are in the channel's price basis. On both sides
    ``total = list_price - total_discount``. ``auto_discount`` is the automatic discount that takes most.
    """

    key: int
    quantity: int
    rate: VatRate
    list_price_gross: MinorUnits
    list_price_net: MinorUnits
    auto_discount: AutomaticDiscount | None
    auto_shares: tuple[LineDiscount, ...]  # empty where one has all units
    auto_discount_amount: MinorUnits
    promo_code_discount: MinorUnits
    total_discount_gross: MinorUnits
    total_discount_net: MinorUnits
    total_gross: MinorUnits
    total_net: MinorUnits

    @property
    def auto_discounts(self) -> tuple[LineDiscount, ...]:
        """The automatic discounts, from how many units each takes how much, group discounts first."""
        if self.auto_shares or self.auto_discount is None:
            return self.auto_shares
        return (LineDiscount(self.auto_discount, self.quantity, self.auto_discount_amount),)


class CheckoutTotals(NamedTuple):
    """The figures of a checkout, and the request they answer.

    ``lines`` are in the order of the request, ``promo_codes`` and ``vouchers`` too; ``auto_discounts``
    are the distinct winners; unless ``automatic_is_exact``, too many excluded one another to weigh them all.
    ``vat_breakdown`` is ascending by rate, ``prepaid`` what single-purpose vouchers take off it.
    ``codes_are_exact`` is false where ``CodeOrder.BEST`` had to end its search early.
    """

    lines: tuple[LineTotals, ...]
    list_price_gross: MinorUnits
    list_price_net: MinorUnits
    promo_codes: tuple[CodeResult, ...]
    promo_code_discount: MinorUnits
    auto_discounts: tuple[AppliedAutomatic, ...]
    auto_discount_amount: MinorUnits
    automatic_is_exact: bool
    total_discount_gross: MinorUnits
    total_discount_net: MinorUnits
    total_subscription_gross: MinorUnits
    total_subscription_net: MinorUnits
    donation: MinorUnits
    total_gross: MinorUnits
    total_net: MinorUnits
    vat_breakdown: tuple[VatAmount, ...]
    vouchers: tuple[Redemption, ...]
    prepaid: tuple[VatAmount, ...]
    amount_due: MinorUnits
    cash_due: MinorUnits
    request: PricingRequest
    codes_are_exact: bool = True

    @property
    def cash_rounding(self) -> MinorUnits:
        """What paying in cash adds to the amount due, or takes off it; it touches no tax."""
        return self.cash_due - self.amount_due

    def _repr_html_(self) -> str:
        from faregate.render.receipts import receipt_of

        return receipt_of(self)._repr_html_()


# Looking a member up on its enumeration costs as much as the arithmetic of a line.
_IN_NET = PriceBasis.NET
_AT_RATE = VatLevel.RATE
_BY_UNIT = VatLevel.UNIT
_NET = Tie.NET
# A NamedTuple made from the tuple of its fields: half the time of a call with them.
_new = tuple.__new__


def checkout_totals(
    lines: Iterable[Line],
    *,
    automatic: Iterable[AutomaticDiscount] = (),
    promo_codes: Iterable[PromoCode | UnknownCode] = (),
    donation: MinorUnits = 0,
    vouchers: Iterable[Voucher] = (),
    policy: TotalsPolicy = DEFAULT_POLICY,
    context: Context = NO_CONTEXT,
) -> CheckoutTotals:
    """Price a basket.

    The result does not depend on the order of *lines*: ties go to the lower key (decisions §3.9).

    >>> from faregate.discounts.kinds import Percentage, PromoCode
    >>> vat = VatRate.percent("8.1")
    >>> tickets, lunch = Line(1, 7900, quantity=2, rate=vat), Line(2, 1200, quantity=1, rate=vat)
    >>> ten = PromoCode(code="TEN", kind=Percentage.percent(10))
    >>> totals = checkout_totals([tickets, lunch], promo_codes=[ten])
    >>> totals.total_gross, totals.total_net, [line.promo_code_discount for line in totals.lines]
    (15300, 14154, [1580, 120])

    Raises:
        InvalidLines: lists every fault of every line.
        InvalidAmount: the donation is no int of at least 0.
        InvalidPeriod: the instant of *context* has no UTC offset.
        InvalidDiscount: a code or an id of a discount is given twice.
        InvalidVoucher: a voucher is given twice.
        ContextRequired: a condition depends on something that *context* does not say.
    """
    request = request_of(lines, automatic, promo_codes, donation, vouchers, policy, context)
    try:
        columns = cart(request.lines)
    except InvalidLines:
        request = request._replace(lines=in_plain_ints(request.lines))
        columns = cart(request.lines)
    after_auto = columns.list_prices
    auto = best_automatic(columns, request.automatic, context, policy)
    auto_amounts, _, _, auto_discounts, _ = auto
    if auto_discounts:
        after_auto = list(map(sub, after_auto, auto_amounts))
    codes = apply_promo_codes(columns, request.promo_codes, after_auto, context, policy)
    taxed = _taxed(columns, codes[0], policy)
    totals = _summed(request, columns, _rows(columns, auto, codes, taxed), auto, codes, taxed)
    if columns.subscriptions:
        amounts = subscription_amounts(columns, totals.lines, after_auto, request)
        totals = totals._replace(
            total_subscription_gross=sum([amount.gross for amount in amounts]),
            total_subscription_net=sum([amount.net for amount in amounts]),
        )
    return totals if columns.order is None else _in_request_order(totals, columns.order)


_Columns: TypeAlias = tuple["list[MinorUnits]", "list[MinorUnits]", "list[MinorUnits]"]
"""List prices, discounts and totals of all lines on one side of the tax, in parallel."""

_Taxed: TypeAlias = tuple[_Columns, _Columns, tuple[VatAmount, ...]]
"""The figures of every line, gross and net, and the tax per rate."""


def _taxed(columns: Cart, totals: list[MinorUnits], policy: TotalsPolicy) -> _Taxed:
    """Both sides of every line, of which discounts left *totals* in the channel's price basis."""
    discounts = list(map(sub, columns.list_prices, totals))
    other_totals, other_discounts = totals.copy(), discounts.copy()
    in_net, at_rate, tie_net = policy.price_basis is _IN_NET, policy.vat_level is _AT_RATE, policy.tie is _NET
    quantities = columns.quantities if policy.vat_level is _BY_UNIT else None
    is_discounted = any(discounts)
    breakdown = []
    for rate, indices in columns.by_rate:
        conversion = rate.to_gross if in_net else rate.to_net_rounded if tie_net else rate.to_net
        if at_rate:
            total, other = give_back(totals, other_totals, indices, conversion)
            if is_discounted:
                give_back(discounts, other_discounts, indices, conversion)
        else:
            total, other = convert_lines(totals, other_totals, indices, conversion, quantities)
            convert_lines(discounts, other_discounts, indices, conversion, quantities)
        gross, net = (other, total) if in_net else (total, other)
        breakdown.append(_new(VatAmount, (rate, net, gross - net, gross)))
    own = columns.list_prices, discounts, totals
    others = list(map(add, other_discounts, other_totals)), other_discounts, other_totals
    return (others, own, tuple(breakdown)) if in_net else (own, others, tuple(breakdown))


def _rows(columns: Cart, auto: Automatic, codes: Codes, taxed: _Taxed) -> tuple[LineTotals, ...]:
    (gross_prices, gross_discounts, gross_totals), (net_prices, net_discounts, net_totals), _ = taxed
    auto_amounts, winners, by_line, *_ = auto
    promo_amounts = codes[1]
    fields = zip(
        columns.keys,
        columns.quantities,
        columns.rates,
        gross_prices,
        net_prices,
        winners,
        by_line,
        auto_amounts,
        promo_amounts,
        gross_discounts,
        net_discounts,
        gross_totals,
        net_totals,
        strict=True,
    )
    return tuple(map(_new, repeat(LineTotals), fields))


def _summed(
    request: PricingRequest,
    columns: Cart,
    rows: tuple[LineTotals, ...],
    auto: Automatic,
    codes: Codes,
    taxed: _Taxed,
) -> CheckoutTotals:
    """The checkout's own figures: sums over its lines, the donation, and what is paid how."""
    _, _, _, donation, vouchers, policy, context = request
    auto_amounts, _, _, auto_discounts, is_exact = auto
    _, promo_amounts, promo_codes, codes_are_exact = codes
    (_, gross_discounts, gross_totals), (_, net_discounts, net_totals), breakdown = taxed
    goods_gross, discount_gross = sum(gross_totals), sum(gross_discounts)
    goods_net, discount_net = sum(net_totals), sum(net_discounts)
    due = total_gross = goods_gross + donation
    redemptions: tuple[Redemption, ...] = ()
    if vouchers:
        redeemable = due if policy.vouchers_pay_donation else goods_gross
        goods = Goods(columns, gross_totals, context, policy.single_purpose_rest)
        redemptions = redeem(vouchers, redeemable, at=context.at, goods=goods)
        due -= sum([paid.amount for paid in redemptions])
    return _new(  # in the order of the fields: by name it would take four times as long
        CheckoutTotals,
        (
            rows,
            goods_gross + discount_gross,
            goods_net + discount_net,
            promo_codes,
            sum(promo_amounts),
            auto_discounts,
            sum(auto_amounts),
            is_exact,
            discount_gross,
            discount_net,
            0,
            0,
            donation,
            total_gross,
            goods_net + donation,
            breakdown,
            redemptions,
            prepaid_breakdown(redemptions) if redemptions else (),
            due,
            due if policy.cash_increment == 1 else round_to_increment(due, policy.cash_increment),
            request,
            codes_are_exact,
        ),
    )


def subscription_amounts(
    columns: Cart, rows: Sequence[LineTotals], after_auto: Sequence[MinorUnits], request: PricingRequest
) -> list[GrossNet]:
    """What each line at ``columns.subscriptions`` adds to the subscription totals (decisions §5)."""
    sold, policy = columns.subscriptions, request.policy
    if policy.subscription_basis is SubscriptionBasis.FIRST_PERIOD:
        return [GrossNet(rows[index].total_gross, rows[index].total_net) for index in sold]
    if any(columns.lines[index].recurring_price is not None for index in sold):
        columns = cart([line.in_later_periods for line in columns.lines])
        amounts, *_ = best_automatic(columns, request.automatic, request.context, policy)
        after_auto = list(map(sub, columns.list_prices, amounts))
    recurring = cart([columns.lines[index] for index in sold])
    left = [after_auto[index] for index in sold]
    (_, _, gross_totals), (_, _, net_totals), _ = _taxed(recurring, left, policy)
    return list(map(GrossNet, gross_totals, net_totals))


def _in_request_order(totals: CheckoutTotals, order: Sequence[int]) -> CheckoutTotals:
    """Put what was computed in ascending key back: the line at *i* was the request's ``order[i]``."""
    # Two lines at least, else they were in order: so it always picks a tuple.
    put_back = itemgetter(*sorted(range(len(order)), key=order.__getitem__))
    return totals._replace(
        lines=put_back(totals.lines),
        auto_discounts=tuple(
            [applied._replace(shares=put_back(applied.shares)) for applied in totals.auto_discounts]
        ),
        promo_codes=tuple(
            [
                result._replace(shares=put_back(result.shares)) if isinstance(result, AppliedCode) else result
                for result in totals.promo_codes
            ]
        ),
    )


def item_totals(totals: CheckoutTotals, members: Sequence[Sequence[int]]) -> tuple[LineTotals, ...]:
    """Share every line back to its items (decisions §3.1), in ascending item id within each line.

    *members* are the item ids of each line, as ``pricing_lines`` gives them. Automatic discounts are handed
    out to one item after the other (``LineTotals.auto_discounts``). Each code is shared in the order applied,
    by what is left of each item, so that no item goes below 0; net amounts are given back up to the line's.

    >>> from faregate.discounts.kinds import Absolute, PromoCode
    >>> from faregate.basket.lines import pricing_lines
    >>> item = Line(key=1, unit_price=1000, quantity=1, rate=VatRate.percent("8.1"))
    >>> joined = pricing_lines([item, item._replace(key=2), item._replace(key=3)])
    >>> priced = checkout_totals(joined.lines, promo_codes=[PromoCode(code="TEN", kind=Absolute(1000))])
    >>> [item.total_gross for item in item_totals(priced, joined.members)]
    [666, 667, 667]
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
    """The other side of each item: its exact value floored, the largest remainders raised up to *target*."""
    conversion = rate.to_gross if policy.price_basis is PriceBasis.NET else rate.to_net
    shares = [0] * len(amounts)
    apportion(shares, amounts, range(len(amounts)), conversion.numerator, conversion.denominator, target)
    return shares
