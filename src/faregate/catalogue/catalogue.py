"""The catalogue: merchants, products, variants, prices, channels and codes as frozen values.

A catalogue is built and checked once, for example by ``faregate.files``, and is only read afterwards.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import TypeVar

from faregate._values import public_value
from faregate.amount_due.vouchers import Voucher
from faregate.arguments.checks import checked, rows
from faregate.basket.policy import PriceBasis
from faregate.catalogue.channels import Channel
from faregate.catalogue.checks.references import catalogue_issues, list_price_issues, promo_code_issues
from faregate.catalogue.entries import Category, DiscountCard, Entries, Merchant, order_zones
from faregate.catalogue.gate_ids import AccessIds, AccessPoint, access_ids, access_point
from faregate.catalogue.pools import Pool
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Medium, Product, Variant
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, Scope, normalize_code
from faregate.errors import InvalidCatalogue, Issues, UnknownEntry

_MAX_POOL_DAYS = 10_000
"""Maximum number of pool-days whose units for sale are cached."""
_NOT_KNOWN = -1

_Entry = TypeVar("_Entry")
_Key = TypeVar("_Key")


@public_value
@dataclass(frozen=True, kw_only=True)
@checked(InvalidCatalogue)
class Catalogue(Entries):
    """Everything for sale; the entries are checked on construction, including by ``dataclasses.replace``.

    >>> from faregate.catalogue.pools import Pool
    >>> Catalogue(pools=(Pool(identifier="mountain", size=5), Pool(identifier="mountain", size=9)))
    Traceback (most recent call last):
        ...
    faregate.errors.InvalidCatalogue: pools[1].identifier: 'mountain' is used twice

    Raises:
        InvalidCatalogue: an entry has the wrong type, or entries contradict one another; lists every issue.
    """

    def __post_init__(self) -> None:
        Issues(catalogue_issues(self)).check(InvalidCatalogue)

    def __repr__(self) -> str:
        sold = f"products {len(self.products)}, variants {len(self._variants)}"
        return f"<Catalogue: {sold}, channels {len(self.channels)}, promo codes {len(self.promo_codes)}>"

    def merchant(self, identifier: str) -> Merchant:
        """Return the merchant with that identifier, or raise UnknownEntry."""
        return _look_up("merchant", self._merchants, identifier)

    def category(self, category_id: int) -> Category:
        """Return the category with that id, or raise UnknownEntry."""
        return _look_up("category", self._categories, category_id)

    def product(self, product_id: int) -> Product:
        """Return the product with that id, or raise UnknownEntry."""
        return _look_up("product", self._products, product_id)

    def product_at(self, slug: str) -> Product:
        """Return the product with that slug, or raise UnknownEntry."""
        return _look_up("product", self._products_by_slug, slug)

    def pool(self, identifier: str) -> Pool:
        """Return the pool with that identifier, or raise UnknownEntry."""
        return _look_up("pool", self._pools, identifier)

    def for_sale(self, pool: str, day: date) -> int | None:
        """Return the number of units of *pool* for sale on *day*, or raise UnknownEntry.

        See ``Pool.for_sale``.
        """
        known = self._for_sale
        found = known.get((pool, day), _NOT_KNOWN)
        if found == _NOT_KNOWN:
            if len(known) >= _MAX_POOL_DAYS:
                known.clear()
            found = known[pool, day] = self.pool(pool).for_sale(day, self.calendar)
        return found

    def variant(self, variant_id: int) -> tuple[Product, Variant]:
        """Return the variant with that id and its product, or raise UnknownEntry."""
        try:  # inlined for speed: pricing a checkout looks up each variant several times
            return self._variants[variant_id]
        except KeyError:
            raise UnknownEntry("variant", variant_id) from None

    def access_point(self, ids: AccessIds) -> AccessPoint | None:
        """Return the product and variant that gates identify by *ids*, or None if the ids are unknown."""
        return self._access_points.get(ids)

    def discount_card(self, card_id: int) -> DiscountCard:
        """Return the discount card with that id, or raise UnknownEntry."""
        return _look_up("discount card", self._discount_cards, card_id)

    def medium(self, medium_id: int) -> Medium:
        """Return the medium with that id, or raise UnknownEntry."""
        return _look_up("medium", self._media, medium_id)

    def channel(self, uuid: str) -> Channel:
        """Return the channel with that UUID, or raise UnknownEntry."""
        return _look_up("channel", self._channels, uuid)

    def zone_of_orders(self, channel: Channel) -> str | None:
        """Return the time zone of orders on *channel*, or None if the time zones of its merchants differ."""
        found = self._order_zones.get(channel.uuid, frozenset())
        return next(iter(found)) if len(found) == 1 else None

    def automatic_discounts_for(self, variants: Iterable[int]) -> tuple[AutomaticDiscount, ...]:
        """Return the automatic discounts that could apply to one of *variants*, in catalogue order."""
        reachable: set[int] = set()
        for variant in variants:
            reachable |= self._discounts_by_variant.get(variant, frozenset())
        return tuple([self.automatic_discounts[index] for index in sorted(reachable)])

    def promo_code(self, code: str) -> PromoCode | None:
        """Return the promo code that equals *code* after normalization, or None."""
        return self._promo_codes.get(normalize_code(code))

    def voucher(self, code: str) -> Voucher | None:
        """Return the voucher whose code equals *code* after normalization, or None."""
        return self._vouchers.get(normalize_code(code))

    def with_promo_code(self, promo_code: PromoCode) -> Catalogue:
        """Return a copy of the catalogue with *promo_code*, which replaces any promo code with the same code.

        Only the promo code is checked, so the change takes less than a millisecond.

        >>> from faregate.discounts.kinds import Percentage, PromoCode
        >>> more = Catalogue().with_promo_code(PromoCode(code="TEN", kind=Percentage.percent(10)))
        >>> more.promo_code("ten").kind
        Percentage(parts_per_million=100000, level=<DiscountLevel.CART: 'cart'>)

        Raises:
            InvalidCatalogue: *promo_code* contradicts the catalogue; lists every issue.
        """
        rows("promo_codes", [promo_code], InvalidCatalogue, (PromoCode,))
        codes = [*self.promo_codes]
        former = self._promo_codes.get(promo_code.code)
        index = len(codes) if former is None else codes.index(former)
        codes[index:] = [promo_code, *codes[index + 1 :]]
        Issues(promo_code_issues(self, index, promo_code, self._known_keys)).check(InvalidCatalogue)
        return self._changed(
            promo_codes=tuple(codes), _promo_codes={**self._promo_codes, promo_code.code: promo_code}
        )

    def with_prices(self, variant_id: int, prices: Iterable[PriceRule]) -> Catalogue:
        """Return a copy of the catalogue in which *prices* replace the list prices of a variant.

        Only the prices of the variant's product are checked. The prices of gate tariffs do not change.

        Raises:
            UnknownEntry: the variant does not exist.
            InvalidCatalogue: *prices* contradict the product or the catalogue; lists every issue.
        """
        former, variant = self.variant(variant_id)
        changed = replace(variant, prices=rows("prices", prices, InvalidCatalogue, (PriceRule,)))
        variants = tuple([changed if own is variant else own for own in former.variants])
        product = replace(former, variants=variants)
        index = next(n for n, own in enumerate(self.products) if own is former)
        Issues(list_price_issues(self, index, product, self._known_keys)).check(InvalidCatalogue)
        lookups: dict[str, object] = {
            "_products": {**self._products, product.id: product},
            "_products_by_slug": {**self._products_by_slug, product.slug: product},
            "_variants": {**self._variants, **{own.id: (product, own) for own in variants}},
        }
        if self._points_of(former):
            lookups["_access_points"] = {**self._access_points, **self._points_of(product)}
        return self._changed(
            products=(*self.products[:index], product, *self.products[index + 1 :]), **lookups
        )

    def _changed(self, **attributes: object) -> Catalogue:
        """Return a copy with the given *attributes*, which are not checked; it shares all others."""
        copied = object.__new__(type(self))
        vars(copied).update(vars(self), **attributes)
        return copied

    @property
    def _known_keys(self) -> dict[str, Container[object]]:
        """The existing keys of each kind of entry that promo codes and products can refer to."""
        return {
            "merchant": self._merchants,
            "category": self._categories,
            "discount card": self._discount_cards,
            "product": self._products,
            "product at": self._products_by_slug,
            "medium": self._media,
            "channel": self._channels,
            "pool": self._pools,
            "variant": self._variants,
            "season": {season.identifier for season in self.calendar.seasons},
        }

    @cached_property
    def _merchants(self) -> dict[str, Merchant]:
        return {merchant.identifier: merchant for merchant in self.merchants}

    @cached_property
    def _categories(self) -> dict[int, Category]:
        return {category.id: category for category in self.categories}

    @cached_property
    def _products(self) -> dict[int, Product]:
        return {product.id: product for product in self.products}

    @cached_property
    def _products_by_slug(self) -> dict[str, Product]:
        return {product.slug: product for product in self.products}

    @cached_property
    def _pools(self) -> dict[str, Pool]:
        return {pool.identifier: pool for pool in self.pools}

    @cached_property
    def _for_sale(self) -> dict[tuple[str, date], int | None]:
        return {}  # filled on demand

    @cached_property
    def _variants(self) -> dict[int, tuple[Product, Variant]]:
        return {variant.id: (product, variant) for product in self.products for variant in product.variants}

    @cached_property
    def _access_points(self) -> dict[AccessIds, AccessPoint]:
        points: dict[AccessIds, AccessPoint] = {}
        for product in self.products:
            points |= self._points_of(product)
        return points

    def _points_of(self, product: Product) -> dict[AccessIds, AccessPoint]:
        points: dict[AccessIds, AccessPoint] = {}
        for variant in product.variants:
            pairs = [ids for ids, _ in access_ids(variant)]
            if pairs:
                merchant = self.merchant(product.merchant)
                point = access_point(
                    product,
                    variant,
                    currency=merchant.currency,
                    timezone=merchant.timezone,
                    is_net=self._is_priced_net(product, merchant.currency),
                )
                points.update(dict.fromkeys(pairs, point))
        return points

    def _is_priced_net(self, product: Product, currency: str) -> bool:
        """Return True if *product* is sold in *currency*, and only on channels that use net prices."""
        bases = {
            channel.policy.price_basis
            for channel in self.channels
            if channel.currency == currency and channel.sells(product)
        }
        return bases == {PriceBasis.NET}

    @cached_property
    def _discount_cards(self) -> dict[int, DiscountCard]:
        return {card.id: card for card in self.discount_cards}

    @cached_property
    def _media(self) -> dict[int, Medium]:
        return {medium.id: medium for medium in self.media}

    @cached_property
    def _channels(self) -> dict[str, Channel]:
        return {channel.uuid: channel for channel in self.channels}

    @cached_property
    def _order_zones(self) -> dict[str, frozenset[str]]:
        return {channel.uuid: order_zones(channel, self) for channel in self.channels}

    @cached_property
    def _discounts_by_variant(self) -> dict[int, frozenset[int]]:
        """The indices of the automatic discounts whose scope could include a variant, keyed by variant id."""
        return {
            variant.id: frozenset(
                index
                for index, discount in enumerate(self.automatic_discounts)
                if reaches(discount.scope, product, variant)
            )
            for product, variant in self._variants.values()
        }

    @cached_property
    def _promo_codes(self) -> dict[str, PromoCode]:
        return {promo_code.code: promo_code for promo_code in self.promo_codes}

    @cached_property
    def _vouchers(self) -> dict[str, Voucher]:
        return {voucher.code: voucher for voucher in self.vouchers}


def reaches(scope: Scope, product: Product, variant: Variant) -> bool:
    """Return True if *variant* meets the criteria of *scope* for products, categories and attributes."""
    return (
        (not scope.products or product.id in scope.products)
        and (not scope.variants or variant.id in scope.variants)
        and (not scope.categories or product.category in scope.categories)
        and (not scope.attributes or not scope.attributes.isdisjoint(variant.selectors))
    )


def _look_up(kind: str, entries: Mapping[_Key, _Entry], key: _Key) -> _Entry:
    try:
        return entries[key]
    except KeyError:
        raise UnknownEntry(kind, key) from None
