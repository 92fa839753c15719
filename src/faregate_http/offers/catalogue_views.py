"""The catalogue as JSON, written once per language and then copied into responses."""

from functools import cache
from typing import TypeVar, assert_never, cast

import msgspec

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.presentation.form_schema import fields_schema
from faregate.catalogue.presentation.person_form import asked_fields
from faregate.catalogue.products import PriceComponent
from faregate.discounts.kinds import Absolute, Bundle, BuyXGetY, DiscountKind, FixedPrice, Percentage, PerUnit
from faregate.money.currency import currency
from faregate_http.offers.forms import CheckoutForm
from faregate_http.protocol.numbers import major_units, percent
from faregate_http.protocol.view_writer import ViewWriter
from faregate_http.schemas import checkout as wire

_View = TypeVar("_View")


def written(view: _View) -> _View:
    """Return *view* as encoded JSON, which is copied unchanged into the responses that contain it."""
    return cast("_View", msgspec.Raw(_encode(view)))


_encode = msgspec.json.Encoder().encode


class CatalogueViews:
    """Parts of responses that depend only on the catalogue and the language."""

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
        channel = self.catalogue.channel(channel_uuid)
        write = ViewWriter("en", channel.currency).write
        kind = wire.SupportedPaymentMethodView
        return written(tuple(write(kind, method, provider="GATEWAY") for method in channel.payment_methods))

    def _auto_discount(self, number: int, channel_uuid: str, language: str) -> wire.AutoDiscountView:
        discount = next(entry for entry in self.catalogue.automatic_discounts if entry.id == number)
        writer = ViewWriter(language, self.catalogue.channel(channel_uuid).currency)
        return written(
            writer.write(
                wire.AutoDiscountView,
                discount,
                display_name=discount.name,
                discount_type=discount.kind.type,
                discount=self.configured(discount.kind, channel_uuid),
            )
        )

    def configured(self, kind: DiscountKind, channel_uuid: str) -> float:
        """Return the configured value of a discount: a percentage, or an amount in major units."""
        match kind:
            case Percentage(parts_per_million=parts) | BuyXGetY(parts_per_million=parts):
                return percent(parts)
            case Bundle(price=None, parts_per_million=int(parts)):
                return percent(parts)
            case Bundle():
                return major_units(currency(self.catalogue.channel(channel_uuid).currency))(kind.price or 0)
            case Absolute(amount=amount) | PerUnit(amount=amount) | FixedPrice(price=amount):
                return major_units(currency(self.catalogue.channel(channel_uuid).currency))(amount)
            case _:
                assert_never(kind)

    def _variant(self, variant_id: int, language: str) -> wire.ItemVariantView:
        product, variant = self.catalogue.variant(variant_id)
        merchant = self.catalogue.merchant(product.merchant)
        category = self.catalogue.category(product.category)
        writer = ViewWriter(language, merchant.currency)
        return written(
            writer.write(
                wire.ItemVariantView,
                variant,
                product_id=product.id,
                vat_rate=variant.rate,
                product=writer.write(wire.ProductSummaryView, product, merchant=merchant, category=category),
                available_media=[self._medium(medium, writer) for medium in product.media],
            )
        )

    def _medium(self, medium_id: int, writer: ViewWriter) -> wire.MediumView:
        medium = self.catalogue.medium(medium_id)
        components = [
            self._price_component(component, writer.language) for component in medium.price_components
        ]
        return writer.write(wire.MediumView, medium, price_components=components)

    def _price_component(self, component: PriceComponent, language: str) -> wire.PriceComponentView:
        product, _ = self.catalogue.variant(component.variant)
        writer = ViewWriter(language, self.catalogue.merchant(product.merchant).currency)
        variant = component_variant(component.variant, self.catalogue, writer)
        return writer.write(wire.PriceComponentView, component, product_variant=variant)


def component_variant(
    variant_id: int, catalogue: Catalogue, writer: ViewWriter
) -> wire.PriceComponentVariantView:
    """Return a view of the variant *variant_id*, which represents a price component of a ticket medium."""
    product, variant = catalogue.variant(variant_id)
    return writer.write(wire.PriceComponentVariantView, variant, vat_rate=variant.rate, product_id=product.id)
