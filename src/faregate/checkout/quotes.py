"""Quotes for items: the checks before a sale, and the list price. Decisions §3.8, §8.1, §11.7."""

from collections.abc import Iterator
from datetime import date, datetime
from zoneinfo import ZoneInfo

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.entries import Merchant
from faregate.catalogue.pools import NOTHING_TAKEN, Capacity
from faregate.catalogue.products import Product, Variant
from faregate.checkout.model import CheckoutItem, Quote
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import Interval
from faregate.errors import FaregateError, Issue, IssueCode, UnknownEntry
from faregate.list_prices.price import ListPriceQuery, duration_of, list_price
from faregate.list_prices.steps import ListPrice
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatRate
from faregate.validity.bookability import BookingRulesCheck


class ItemQuoter:
    """Quotes for items on *channel* at the timezone-aware datetime *at*; lookups are cached.

    STEPPED prices depend on *sold*, the usage of each pool. The ``loc`` of an issue names an item's field.
    """

    def __init__(
        self,
        *,
        channel: Channel,
        catalogue: Catalogue,
        at: datetime,
        sold: Capacity = NOTHING_TAKEN,
    ) -> None:
        self._channel = channel
        self._catalogue = catalogue
        self._at = at
        self._sold = sold
        self._booking: dict[int, BookingRulesCheck] = {}
        self._durations: dict[tuple[int, int], tuple[Interval, Duration]] = {}

    def quote(self, item: CheckoutItem) -> Quote | tuple[Issue, ...]:
        """Return a quote for *item*, or all issues that prevent it from being priced."""
        try:
            product, variant = self._catalogue.variant(item.variant)
            merchant = self._catalogue.merchant(product.merchant)
        except UnknownEntry as error:
            unknown = Issue(("variant",), str(error), IssueCode.UNKNOWN_VARIANT)
            return unknown, *_card_issues(item, self._catalogue)
        issues = tuple(_not_sold(item, product, merchant, self._channel, self._catalogue))
        price = self._list_price(item, product, variant)
        if isinstance(price, Issue):
            return (*issues, price)
        return issues or Quote(price, rate_of(item, self._catalogue, self._at), self._at)

    def quote_bookable(self, item: CheckoutItem) -> Quote | tuple[Issue, ...]:
        """Return a quote for *item*, or all issues; unlike ``quote``, also check the booking rules.

        ``check_capacity`` checks the capacity separately, for the whole checkout.
        """
        quoted = self.quote(item)
        if not isinstance(quoted, Quote) or item.validity is None:
            return quoted
        product, _ = self._catalogue.variant(item.variant)
        found = self._desk(product).obstacle(self._duration(product, item.validity), item.validity)
        if found is None:
            return quoted
        return (Issue(("validity",), f"cannot be booked: {found.value}", IssueCode.NOT_BOOKABLE),)

    def bookable(self, variant_id: int, day: date, card: int | None = None) -> list[CheckoutItem]:
        """Return an item with a quote for each validity period from *day* in which a variant can be booked.

        A variant of a product without a validity has one item. Items that are sold only with another one
        still need a parent.
        """
        product, _ = self._catalogue.variant(variant_id)
        items = [CheckoutItem(1, variant_id, each, 1, card) for each in self._validities(product, day)]
        quoted = [(item._replace(parent=None), self.quote(item)) for item in items]
        return [item._replace(quote=quote) for item, quote in quoted if isinstance(quote, Quote)]

    def _validities(self, product: Product, day: date) -> Iterator[Interval | None]:
        if not product.has_validity:
            yield None
            return
        desk = self._desk(product)
        for duration in product.durations:
            for start in desk.starts_on(day, duration):
                validity = validity_from(duration, start, desk.zone)
                if desk.obstacle(duration, validity) is None:
                    yield validity

    def list_price(self, item: CheckoutItem) -> ListPrice:
        """Return the list price of *item* with its explanation.

        Raises:
            FaregateError: the item has no list price.
        """
        product, variant = self._catalogue.variant(item.variant)
        return self._listed(item, product, variant)

    def _list_price(self, item: CheckoutItem, product: Product, variant: Variant) -> MinorUnits | Issue:
        validity = item.validity
        if validity is None and product.has_validity:
            message = f"product {product.id} needs a validity"
            return Issue(("validity",), message, IssueCode.VALIDITY_REQUIRED)
        if validity is not None and not product.has_validity:
            message = f"product {product.id} has no validity"
            return Issue(("validity",), message, IssueCode.VALIDITY_NOT_WANTED)
        try:
            return self._listed(item, product, variant).amount
        except FaregateError as error:
            return Issue(("validity" if validity else "variant",), str(error), IssueCode.NOT_BOOKABLE)

    def _listed(self, item: CheckoutItem, product: Product, variant: Variant) -> ListPrice:
        return list_price(
            variant,
            self._occasion(item, product),
            product=product,
            calendar=self._catalogue.calendar,
            capacity=self._sold,
        )

    def _occasion(self, item: CheckoutItem, product: Product) -> ListPriceQuery:
        desk, validity = self._desk(product), item.validity
        if validity is None:
            return ListPriceQuery(discount_card=item.discount_card)
        first = validity.start.astimezone(desk.zone).date()
        return ListPriceQuery(
            duration=self._duration(product, validity),
            first_day=first,
            ordered_on=min(desk.today, first),  # a validity that has begun keeps the price of its first day
            discount_card=item.discount_card,
        )

    def _desk(self, product: Product) -> BookingRulesCheck:
        if product.id not in self._booking:
            zone = zone_of(product, self._catalogue)
            self._booking[product.id] = BookingRulesCheck(
                product, zone=zone, catalogue=self._catalogue, now=self._at
            )
        return self._booking[product.id]

    def _duration(self, product: Product, validity: Interval) -> Duration:
        # Keyed by identity: equal intervals can differ in the hour repeated by a clock change.
        asked = product.id, id(validity)
        if asked not in self._durations:
            duration = duration_of(product, validity, self._desk(product).zone)
            self._durations[asked] = validity, duration
        return self._durations[asked][1]


def zone_of(product: Product, catalogue: Catalogue) -> ZoneInfo:
    """Return the time zone in which the days of *product* begin: its merchant's."""
    return ZoneInfo(catalogue.merchant(product.merchant).timezone)


def rate_of(item: CheckoutItem, catalogue: Catalogue, at: datetime, variant: int | None = None) -> VatRate:
    """Return the VAT rate of *item*, or of its component *variant*, on the day of supply.

    This is the first day of its validity or, without a validity, the day of the order in the merchant's zone.
    """
    product, sold = catalogue.variant(item.variant if variant is None else variant)
    if not sold.rate_changes:
        return sold.rate
    supplied = at if item.validity is None else item.validity.start
    return sold.rate_on(supplied.astimezone(zone_of(product, catalogue)).date())


def sold_as(item: CheckoutItem, catalogue: Catalogue) -> Product | None:
    """Return the product of *item*, or None if the product is no longer in the catalogue."""
    try:
        return catalogue.variant(item.variant)[0]
    except UnknownEntry:
        return None


def _not_sold(
    item: CheckoutItem, product: Product, merchant: Merchant, channel: Channel, catalogue: Catalogue
) -> Iterator[Issue]:
    if not channel.sells(product):
        message = f"product {product.id} is not sold on channel {channel.name}"
        yield Issue(("variant",), message, IssueCode.NOT_SOLD_HERE)
    if merchant.currency != channel.currency:
        message = f"product {product.id} is sold in {merchant.currency}, not {channel.currency}"
        yield Issue(("variant",), message, IssueCode.NOT_SOLD_HERE)
    if not product.standalone and item.parent is None:
        message = f"product {product.id} is only sold with another item"
        yield Issue(("parent",), message, IssueCode.NEEDS_PARENT)
    yield from _card_issues(item, catalogue)


def _card_issues(item: CheckoutItem, catalogue: Catalogue) -> Iterator[Issue]:
    if item.discount_card is not None:
        try:
            catalogue.discount_card(item.discount_card)
        except UnknownEntry as error:
            yield Issue(("discount_card",), str(error), IssueCode.UNKNOWN_DISCOUNT_CARD)
