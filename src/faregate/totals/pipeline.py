"""The totals of a checkout and of its lines, computed by one pure function. Decisions §3–§6.

The stages are list prices, automatic discounts, promo codes, tax per rate (allocated to the lines), donation,
vouchers and the amount due. Every amount is an ``int`` of minor units and is rounded once, at the stage named
in ``docs/decisions.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from faregate._values import public_value
from faregate.amount_due.vouchers import Goods, Redemption, Voucher, prepaid_breakdown, redeem
from faregate.arguments.fields import new_row
from faregate.basket.lines import Cart, Line, in_plain_ints
from faregate.basket.policy import SubscriptionBasis, TotalsPolicy
from faregate.discounts.automatic import AppliedAutomatic, Automatic, LineDiscount, best_automatic
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode
from faregate.discounts.promo_codes import AppliedCode, CodeResult, Codes, apply_promo_codes
from faregate.errors import InvalidLines
from faregate.money.amounts import MinorUnits
from faregate.money.rounding import round_to_increment
from faregate.tax.rates import GrossNet, VatAmount, VatRate
from faregate.totals.request import DEFAULT_POLICY, NO_CONTEXT, PricingRequest, request_of
from faregate.totals.vat import Taxed, tax


@public_value
class LineTotals(NamedTuple):
    """Amounts of one line or, with quantity 1, of one item.

    ``auto_discount_amount`` and ``promo_code_discount`` are gross or net, depending on the price basis.
    ``total = list_price - total_discount`` holds for gross and for net amounts. ``auto_discount`` is the
    largest of ``auto_discounts``.
    """

    key: int
    quantity: int
    rate: VatRate
    list_price_gross: MinorUnits
    list_price_net: MinorUnits
    auto_discount: AutomaticDiscount | None
    auto_shares: tuple[LineDiscount, ...]  # empty if one discount reduces all units
    auto_discount_amount: MinorUnits
    promo_code_discount: MinorUnits
    total_discount_gross: MinorUnits
    total_discount_net: MinorUnits
    total_gross: MinorUnits
    total_net: MinorUnits

    @property
    def auto_discounts(self) -> tuple[LineDiscount, ...]:
        """Automatic discounts on the line, with their units and amounts; group discounts come first."""
        if self.auto_shares or self.auto_discount is None:
            return self.auto_shares
        return (LineDiscount(self.auto_discount, self.quantity, self.auto_discount_amount),)


@public_value
class CheckoutTotals(NamedTuple):
    """Totals of a checkout, and the request from which they were computed.

    ``lines``, ``promo_codes`` and ``vouchers`` are in the order of the request; ``auto_discounts`` has each
    automatic discount that was chosen. ``automatic_is_exact`` is False if there were too many rival discounts
    to compare them all; ``codes_are_exact`` is False if the search for the best codes (``CodeOrder.BEST``)
    ended early. ``vat_breakdown`` is in ascending order of rate; ``prepaid`` has, as negative amounts, the
    part of it that was paid with single-purpose vouchers.
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
        """Amount by which rounding for cash changes the amount due; tax is not affected."""
        return self.cash_due - self.amount_due


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
    """Price a basket: return its totals and those of its lines.

    The prices do not depend on the order of *lines*, because ties go to the lower key.

    >>> from faregate.discounts.kinds import Percentage, PromoCode
    >>> vat = VatRate.percent("8.1")
    >>> tickets, lunch = Line(1, 7900, quantity=2, rate=vat), Line(2, 1200, quantity=1, rate=vat)
    >>> ten = PromoCode(code="TEN", kind=Percentage.percent(10))
    >>> totals = checkout_totals([tickets, lunch], promo_codes=[ten])
    >>> totals.total_gross, totals.total_net, [line.promo_code_discount for line in totals.lines]
    (15300, 14154, [1580, 120])

    Raises:
        InvalidLines: a line is invalid, or a key is used twice; the error lists every issue.
        InvalidAmount: the donation is not an int of at least 0.
        InvalidPeriod: the instant of *context* has no UTC offset.
        InvalidDiscount: a promo code is given twice, or two automatic discounts have the same id.
        InvalidVoucher: two vouchers have the same code.
        ContextRequired: a condition depends on something that *context* does not provide.
    """
    request, cart = _checked(request_of(lines, automatic, promo_codes, donation, vouchers, policy, context))
    auto = best_automatic(cart, request.automatic, context, policy)
    codes = apply_promo_codes(cart, request.promo_codes, auto.left, context, policy)
    taxed = tax(cart, codes.left, policy)
    totals = totals_of(request, cart, auto, codes, taxed)
    return totals if cart.order is None else _in_request_order(totals, cart.order)


def _checked(request: PricingRequest) -> tuple[PricingRequest, Cart]:
    """Return the request and its cart; NumPy integers are converted to ints in both."""
    try:
        return request, Cart.of(request.lines)
    except InvalidLines:
        request = request._replace(lines=in_plain_ints(request.lines))
        return request, Cart.of(request.lines)


def totals_of(
    request: PricingRequest, cart: Cart, auto: Automatic, codes: Codes, taxed: Taxed
) -> CheckoutTotals:
    """Combine the results of all stages into the totals of the checkout."""
    policy, donation = request.policy, request.donation
    rows = _rows(cart, auto, codes, taxed)
    (_, gross_discounts, gross_totals), (_, net_discounts, net_totals), breakdown = taxed
    goods_gross, discount_gross = sum(gross_totals), sum(gross_discounts)
    goods_net, discount_net = sum(net_totals), sum(net_discounts)
    subscription = _subscription(request, cart, rows, auto.left) if cart.subscriptions else _NOTHING
    total_gross = goods_gross + donation
    redemptions = _redeemed(request, cart, gross_totals, goods_gross) if request.vouchers else ()
    due = total_gross - sum([paid.amount for paid in redemptions]) if redemptions else total_gross
    return new_row(  # in the order of the fields: by name, it would take four times as long
        CheckoutTotals,
        (
            rows,
            goods_gross + discount_gross,
            goods_net + discount_net,
            codes.results,
            sum(codes.amounts),
            auto.applied,
            sum(auto.amounts),
            auto.is_exact,
            discount_gross,
            discount_net,
            subscription.gross,
            subscription.net,
            donation,
            total_gross,
            goods_net + donation,
            breakdown,
            redemptions,
            prepaid_breakdown(redemptions) if redemptions else (),
            due,
            due if policy.cash_increment == 1 else round_to_increment(due, policy.cash_increment),
            request,
            codes.is_exact,
        ),
    )


def _rows(cart: Cart, auto: Automatic, codes: Codes, taxed: Taxed) -> tuple[LineTotals, ...]:
    (gross_prices, gross_discounts, gross_totals), (net_prices, net_discounts, net_totals), _ = taxed
    fields = zip(  # noqa: B905  # every column has a value per line; making sure would take 2 % of the time
        cart.keys,
        cart.quantities,
        cart.rates,
        gross_prices,
        net_prices,
        auto.winners,
        auto.by_line,
        auto.amounts,
        codes.amounts,
        gross_discounts,
        net_discounts,
        gross_totals,
        net_totals,
    )
    return tuple(map(new_row, repeat(LineTotals), fields))


def _redeemed(
    request: PricingRequest, cart: Cart, totals: list[MinorUnits], goods: MinorUnits
) -> tuple[Redemption, ...]:
    """Redeem the vouchers for the goods, which cost *goods*, and for the donation if the policy allows it."""
    policy, context = request.policy, request.context
    redeemable = goods + request.donation if policy.vouchers_pay_donation else goods
    bought = Goods(cart, totals, context, policy.single_purpose_rest)
    return redeem(request.vouchers, redeemable, at=context.at, goods=bought)


_NOTHING = GrossNet(0, 0)


def _subscription(
    request: PricingRequest, cart: Cart, rows: Sequence[LineTotals], after_auto: Sequence[MinorUnits]
) -> GrossNet:
    amounts = subscription_amounts(cart, rows, after_auto, request)
    return GrossNet(sum([amount.gross for amount in amounts]), sum([amount.net for amount in amounts]))


def subscription_amounts(
    cart: Cart, rows: Sequence[LineTotals], after_auto: Sequence[MinorUnits], request: PricingRequest
) -> list[GrossNet]:
    """Return the gross and net amount that each subscription line adds to the subscription totals."""
    sold, policy = cart.subscriptions, request.policy
    if policy.subscription_basis is SubscriptionBasis.FIRST_PERIOD:
        return [GrossNet(rows[index].total_gross, rows[index].total_net) for index in sold]
    if any(cart.lines[index].recurring_price is not None for index in sold):
        cart = Cart.of([line.in_later_periods for line in cart.lines])
        after_auto = best_automatic(cart, request.automatic, request.context, policy).left
    recurring = Cart.of([cart.lines[index] for index in sold])
    (*_, gross), (*_, net), _ = tax(recurring, [after_auto[index] for index in sold], policy)
    return list(map(GrossNet, gross, net))


def _in_request_order(totals: CheckoutTotals, order: Sequence[int]) -> CheckoutTotals:
    """Return *totals* with the lines in the order of the request, where line *i* is at ``order[i]``."""
    # There are at least two lines, as a single line is always in order; so itemgetter returns a tuple.
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
