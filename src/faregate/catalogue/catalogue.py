"""What is for sale: merchants, products, their variants and prices, channels and codes, as frozen values.

A catalogue is built and checked once, for example by ``faregate.files``; afterwards it is only read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from faregate.arguments.checks import checked
from faregate.basket.policy import PriceBasis
from faregate.catalogue.checks.references import catalogue_issues
from faregate.catalogue.entries import Category, DiscountCard, Entries, Merchant, order_zones
from faregate.catalogue.gate_ids import access_ids, access_point
from faregate.discounts.kinds import normalize_code
from faregate.errors import InvalidCatalogue, Issues, UnknownEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from faregate.amount_due.vouchers import Voucher
    from faregate.catalogue.channels import Channel
    from faregate.catalogue.gate_ids import AccessIds, AccessPoint
    from faregate.catalogue.pools import Pool
    from faregate.catalogue.products import Medium, Product, Variant
    from faregate.discounts.kinds import AutomaticDiscount, PromoCode, Scope

_MAX_POOL_DAYS = 10_000
"""So many are remembered."""
_NOT_KNOWN = -1

_Entry = TypeVar("_Entry")
_Key = TypeVar("_Key")


@dataclass(frozen=True, kw_only=True)
@checked(InvalidCatalogue)
class Catalogue(Entries):
    """All that is for sale, checked when it is made, by ``dataclasses.replace``, too.

    >>> from faregate.catalogue.pools import Pool
    >>> Catalogue(pools=(Pool(identifier="mountain", size=5), Pool(identifier="mountain", size=9)))
    Traceback (most recent call last):
        ...
    faregate.errors.InvalidCatalogue: pools[1].identifier: 'mountain' is used twice

    Raises:
        InvalidCatalogue: an entry is of another kind, or entries contradict one another: lists every issue.
    """

    def __post_init__(self) -> None:
        Issues(catalogue_issues(self)).check(InvalidCatalogue)

    def __repr__(self) -> str:
        sold = f"products {len(self.products)}, variants {len(self._variants)}"
        return f"<Catalogue: {sold}, channels {len(self.channels)}, promo codes {len(self.promo_codes)}>"

    def merchant(self, identifier: str) -> Merchant:
        """The merchant of that identifier, or UnknownEntry."""
        return _look_up("merchant", self._merchants, identifier)

    def category(self, category_id: int) -> Category:
        """The category of that id, or UnknownEntry."""
        return _look_up("category", self._categories, category_id)

    def product(self, product_id: int) -> Product:
        """The product of that id, or UnknownEntry."""
        return _look_up("product", self._products, product_id)

    def product_at(self, slug: str) -> Product:
        """The product of that slug, or UnknownEntry."""
        return _look_up("product", self._products_by_slug, slug)

    def pool(self, identifier: str) -> Pool:
        """The pool of that identifier, or UnknownEntry."""
        return _look_up("pool", self._pools, identifier)

    def for_sale(self, pool: str, day: date) -> int | None:
        """How many places a pool has for sale on *day*, see ``Pool.for_sale``; or UnknownEntry."""
        known = self._for_sale
        found = known.get((pool, day), _NOT_KNOWN)
        if found == _NOT_KNOWN:
            if len(known) >= _MAX_POOL_DAYS:
                known.clear()
            found = known[pool, day] = self.pool(pool).for_sale(day, self.calendar)
        return found

    def variant(self, variant_id: int) -> tuple[Product, Variant]:
        """The variant of that id and its product, or UnknownEntry."""
        try:  # written out: pricing a checkout looks up each variant several times
            return self._variants[variant_id]
        except KeyError:
            raise UnknownEntry("variant", variant_id) from None

    def access_point(self, ids: AccessIds) -> AccessPoint | None:
        """What those ids stand for at a gate, if anything."""
        return self._access_points.get(ids)

    def discount_card(self, card_id: int) -> DiscountCard:
        """The discount card of that id, or UnknownEntry."""
        return _look_up("discount card", self._discount_cards, card_id)

    def medium(self, medium_id: int) -> Medium:
        """The medium of that id, or UnknownEntry."""
        return _look_up("medium", self._media, medium_id)

    def channel(self, uuid: str) -> Channel:
        """The channel of that UUID, or UnknownEntry."""
        return _look_up("channel", self._channels, uuid)

    def zone_of_orders(self, channel: Channel) -> str | None:
        """Return the time zone by which orders on *channel* are dated; None where merchants differ."""
        found = self._order_zones.get(channel.uuid, frozenset())
        return next(iter(found)) if len(found) == 1 else None

    def automatic_discounts_for(self, variants: Iterable[int]) -> tuple[AutomaticDiscount, ...]:
        """Those automatic discounts, in their order, that could select one of *variants*."""
        reachable: set[int] = set()
        for variant in variants:
            reachable |= self._discounts_by_variant.get(variant, frozenset())
        return tuple([self.automatic_discounts[index] for index in sorted(reachable)])

    def promo_code(self, code: str) -> PromoCode | None:
        """The promo code that *code* spells, if there is one."""
        return self._promo_codes.get(normalize_code(code))

    def voucher(self, code: str) -> Voucher | None:
        """The voucher that *code* spells, if there is one."""
        return self._vouchers.get(normalize_code(code))

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
        return {}  # each worked out when it is asked for

    @cached_property
    def _variants(self) -> dict[int, tuple[Product, Variant]]:
        return {variant.id: (product, variant) for product in self.products for variant in product.variants}

    @cached_property
    def _access_points(self) -> dict[AccessIds, AccessPoint]:
        points: dict[AccessIds, AccessPoint] = {}
        for product, variant in self._variants.values():
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
        """Whether every channel that sells it in *currency* prices net; none does: no."""
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
        """The indices of the automatic discounts whose scope does not leave a variant out."""
        return {
            variant.id: frozenset(
                index
                for index, discount in enumerate(self.automatic_discounts)
                if _reaches(discount.scope, product, variant)
            )
            for product, variant in self._variants.values()
        }

    @cached_property
    def _promo_codes(self) -> dict[str, PromoCode]:
        return {promo_code.code: promo_code for promo_code in self.promo_codes}

    @cached_property
    def _vouchers(self) -> dict[str, Voucher]:
        return {voucher.code: voucher for voucher in self.vouchers}


def _reaches(scope: Scope, product: Product, variant: Variant) -> bool:
    """Whether *scope* could select an item of *variant*, by what is the same for all such items."""
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
