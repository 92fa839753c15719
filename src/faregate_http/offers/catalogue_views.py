"""What the wire says of the catalogue: written once per language, then only copied into answers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar, assert_never, cast

import msgspec

from faregate.catalogue.presentation.form_schema import fields_schema
from faregate.catalogue.presentation.person_form import asked_fields
from faregate.discounts.kinds import Absolute, BuyXGetY, DiscountKind, FixedPrice, Percentage, PerUnit
from faregate.money.currency import currency
from faregate_http.offers.forms import CheckoutForm
from faregate_http.protocol.numbers import major_units, percent
from faregate_http.schemas import checkout as wire

if TYPE_CHECKING:
    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.products import Attribute, Medium, PriceComponent, Product, Variant

_View = TypeVar("_View")


def written(view: _View) -> _View:
    """*view* as the JSON that it is written as; the encoder copies it wherever it stands for the view."""
    return cast("_View", msgspec.Raw(_encode(view)))


_encode = msgspec.json.Encoder().encode


class CatalogueViews:
    """The parts of answers that depend on the catalogue and the language only."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.form = cache(self._form)
        self.variant = cache(self._variant)
        self.auto_discount = cache(self._auto_discount)
        self.channel = cache(self._channel)
        self.payment_methods = cache(self._payment_methods)
        self.form_definition = cache(self._form_definition)
        self.person_fields = cache(self._person_fields)

    def _form(self, channel_uuid: str) -> CheckoutForm:
        return CheckoutForm(self.catalogue.channel(channel_uuid))

    def _form_definition(self, channel_uuid: str, language: str) -> dict[str, object]:
        return written(self.form(channel_uuid).definition(language))

    def _person_fields(self, product_id: int, language: str) -> dict[str, object]:
        return written(fields_schema(asked_fields(self.catalogue.product(product_id)), language))

    def _channel(self, channel_uuid: str) -> wire.SalesChannelView:
        channel = self.catalogue.channel(channel_uuid)
        return written(wire.SalesChannelView(channel.uuid, channel.name, channel.type))

    def _payment_methods(self, channel_uuid: str) -> tuple[wire.SupportedPaymentMethodView, ...]:
        return written(
            tuple(
                wire.SupportedPaymentMethodView(
                    method.type,
                    "GATEWAY",
                    method.supports_alias,
                    method.supports_registration_and_payment,
                )
                for method in self.catalogue.channel(channel_uuid).payment_methods
            )
        )

    def _auto_discount(self, number: int, channel_uuid: str, language: str) -> wire.AutoDiscountView:
        discount = next(entry for entry in self.catalogue.automatic_discounts if entry.id == number)
        return written(
            wire.AutoDiscountView(
                id=discount.id,
                display_name=discount.name.in_language(language),
                description=discount.description.in_language(language),
                discount_type=discount.kind.type,
                discount=self.configured(discount.kind, channel_uuid),
            )
        )

    def configured(self, kind: DiscountKind, channel_uuid: str) -> float:
        """The value of a discount as it is configured: percent, or money of the channel."""
        match kind:
            case Percentage(parts_per_million=parts) | BuyXGetY(parts_per_million=parts):
                return percent(parts)
            case Absolute(amount=amount) | PerUnit(amount=amount) | FixedPrice(price=amount):
                return major_units(currency(self.catalogue.channel(channel_uuid).currency))(amount)
            case _:
                assert_never(kind)

    def _variant(self, variant_id: int, language: str) -> wire.ItemVariantView:
        product, variant = self.catalogue.variant(variant_id)
        return written(
            wire.ItemVariantView(
                id=variant.id,
                product_id=product.id,
                name=variant.name,
                translation=variant.translation.in_language(language),
                vat_rate=percent(variant.rate.parts_per_million),
                attributes=attribute_views(variant, language),
                product=self._product(product, language),
                available_media=tuple(
                    self._medium(self.catalogue.medium(medium), language) for medium in product.media
                ),
            )
        )

    def _product(self, product: Product, language: str) -> wire.ProductSummaryView:
        merchant = self.catalogue.merchant(product.merchant)
        category = self.catalogue.category(product.category)
        return wire.ProductSummaryView(
            id=product.id,
            sort_order=product.sort_order,
            name=product.name,
            translation=product.translation.in_language(language),
            identifier=product.identifier,
            type=product.type,
            is_subscription=product.is_subscription,
            standalone=product.standalone,
            has_validity=product.has_validity,
            image_url=product.image_url,
            merchant=wire.MerchantView(merchant.identifier, merchant.timezone),
            category=wire.CategoryView(category.id, category.name.in_language(language)),
            slug=product.slug,
        )

    def _medium(self, medium: Medium, language: str) -> wire.MediumView:
        return wire.MediumView(
            description=medium.description.in_language(language),
            name=medium.name.in_language(language),
            type=medium.type,
            id=medium.id,
            price_components=tuple(
                self._price_component(component, language) for component in medium.price_components
            ),
        )

    def _price_component(self, component: PriceComponent, language: str) -> wire.PriceComponentView:
        product, _ = self.catalogue.variant(component.variant)
        unit = currency(self.catalogue.merchant(product.merchant).currency)
        return wire.PriceComponentView(
            price=major_units(unit)(component.price),
            product_variant=component_variant(component.variant, self.catalogue, language),
            intent=component.intent,
        )


def component_variant(variant_id: int, catalogue: Catalogue, language: str) -> wire.PriceComponentVariantView:
    """The variant as which a price component of a medium is sold."""
    product, variant = catalogue.variant(variant_id)
    return wire.PriceComponentVariantView(
        id=variant.id,
        name=variant.name,
        translation=variant.translation.in_language(language),
        vat_rate=percent(variant.rate.parts_per_million),
        product_id=product.id,
        attributes=attribute_views(variant, language),
    )


def attribute_views(variant: Variant, language: str) -> tuple[wire.AttributeView, ...]:
    """What tells a variant from its siblings."""
    return tuple(_attribute(attribute, language) for attribute in variant.attributes)


def _attribute(attribute: Attribute, language: str) -> wire.AttributeView:
    return wire.AttributeView(
        name=attribute.name.in_language(language),
        identifier=attribute.identifier,
        value=attribute.value,
        sort_order=attribute.sort_order,
        meta_information=dict(attribute.meta_information),
        translation=attribute.translation.in_language(language),
    )
