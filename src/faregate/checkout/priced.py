"""Pricing of a checkout, with all amounts broken down by item."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from faregate._values import public_value
from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line, join_items
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.products import ProductType
from faregate.checkout.code_limits import remaining_balances
from faregate.checkout.item_tree import parent_issues
from faregate.checkout.model import Checkout, CheckoutItem, Quote
from faregate.checkout.quotes import ItemQuoter, zone_of
from faregate.checkout.subscriptions import SubscriptionPricing
from faregate.dates.instants import in_utc, in_zone
from faregate.dates.zones import AnyZone
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import PromoCode, UnknownCode, normalize_code
from faregate.errors import InvalidCheckout, Issue, IssueCode, Issues, UnknownEntry
from faregate.money.amounts import Money
from faregate.money.currency import currency
from faregate.subscriptions.terms import SubscriptionConfiguration
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals, checkout_totals


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class PricedCheckout:
    """A checkout with its prices: ``items`` has the totals of each item, ``totals`` those of all lines.

    ``members`` has the item ids of each line, ``subscription`` is the subscription sold, if any, and
    ``catalogue`` is the source of the prices and of the lines' names.
    """

    checkout: Checkout
    channel: Channel
    items: tuple[LineTotals, ...]
    totals: CheckoutTotals
    members: tuple[tuple[int, ...], ...]
    subscription: SubscriptionConfiguration | None = None
    catalogue: Catalogue | None = None

    def __repr__(self) -> str:
        due = Money(self.totals.amount_due, currency(self.channel.currency))
        return f"<PricedCheckout: {len(self.items)} item{'' if len(self.items) == 1 else 's'}, {due} due>"


def price_checkout(
    checkout: Checkout, *, catalogue: Catalogue, at: datetime, zone: AnyZone | None = None
) -> PricedCheckout:
    """Price *checkout* as of *at*, a timezone-aware datetime; items without a quote get their list price.

    The order is dated in *zone* (by default, the channel's), and visits in the merchant's time zone.

    Raises:
        UnknownEntry: the channel does not exist.
        InvalidCheckout: lists every item that cannot be sold, with the reason.
        InvalidPeriod: *at* has no UTC offset.
    """
    channel = catalogue.channel(checkout.channel)
    subscriptions = SubscriptionPricing(catalogue=catalogue, at=at)
    joined = join_items(
        _lines(checkout, ItemQuoter(channel=channel, catalogue=catalogue, at=at), subscriptions, catalogue)
    )
    promo_codes, vouchers = _codes(checkout, catalogue)
    totals = checkout_totals(
        joined.lines,
        automatic=catalogue.automatic_discounts_for([item.variant for item in checkout.items]),
        promo_codes=promo_codes,
        donation=checkout.donation,
        vouchers=vouchers,
        policy=channel.policy,
        context=Context(
            at=in_utc(at),
            channel=channel.uuid,
            account=checkout.account,
            customer_groups=checkout.customer_groups,
            zone=catalogue.zone_of_orders(channel) if zone is None else zone,
        ),
    )
    items = {item.key: item for item in item_totals(totals, joined.members)}
    return PricedCheckout(
        checkout=checkout,
        channel=channel,
        items=tuple([items[item.id] for item in checkout.items]),
        totals=totals,
        members=joined.members,
        subscription=subscriptions.of_items(checkout.items),
        catalogue=catalogue,
    )


def _lines(
    checkout: Checkout, desk: ItemQuoter, subscriptions: SubscriptionPricing, catalogue: Catalogue
) -> list[Line]:
    lines, issues = [], Issues(parent_issues(checkout.items))
    for index, item in enumerate(checkout.items):
        line = _line(item, desk, subscriptions, catalogue)
        if isinstance(line, Line):
            lines.append(line)
        else:
            issues += [issue.inside(index) for issue in line]
    Issues(_named(issue, checkout) for issue in issues).check(InvalidCheckout)
    return lines


def _named(issue: Issue, checkout: Checkout) -> Issue:
    index, field = issue.loc
    return Issue(
        ("items", index, field), f"item {checkout.items[int(index)].id}: {issue.message}", issue.code
    )


def _line(
    item: CheckoutItem, desk: ItemQuoter, subscriptions: SubscriptionPricing, catalogue: Catalogue
) -> Line | tuple[Issue, ...]:
    quoted = item.quote or desk.quote(item)
    if not isinstance(quoted, Quote):
        return quoted
    try:
        product, variant = catalogue.variant(item.variant)
        zone = zone_of(product, catalogue)
    except UnknownEntry as error:
        return (Issue(("variant",), str(error), IssueCode.UNKNOWN_VARIANT),)
    first_price = subscriptions.first_price(product, quoted.list_price)
    is_fee = product.type is ProductType.FEE or item.component is not None
    return Line(
        key=item.id,
        unit_price=first_price,
        quantity=1,
        rate=quoted.rate,
        product=product.id,
        variant=variant.id,
        category=product.category,
        attributes=variant.selectors,
        discount_card=item.discount_card,
        validity=item.validity and in_zone(item.validity, zone),
        floor_price=variant.floor_price,
        discountable=product.discountable and not is_fee,
        counted=not is_fee,
        is_subscription=product.is_subscription,
        recurring_price=None if first_price == quoted.list_price else quoted.list_price,
        zone=zone,
    )


def _codes(checkout: Checkout, catalogue: Catalogue) -> tuple[list[PromoCode | UnknownCode], list[Voucher]]:
    """Return the codes in *checkout* as promo codes and vouchers; a repeated code is returned once."""
    promo_codes, vouchers = remaining_balances(
        checkout.codes, catalogue, dict(checkout.spent), checkout.promo_codes
    )
    entered: dict[str, PromoCode | UnknownCode] = {}
    for code in map(normalize_code, checkout.codes):
        if code not in vouchers:
            entered[code] = promo_codes.get(code) or UnknownCode(code)
    return list(entered.values()), list(vouchers.values())
