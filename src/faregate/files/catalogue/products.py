"""Products of a catalogue file and their variants."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, ModelWrapValidatorHandler, ValidationInfo, model_validator

from faregate.catalogue.ages import HIGHEST_AGE, AgeRange
from faregate.catalogue.price_rules import PriceModel
from faregate.catalogue.products import Attribute, ExternalId, Product, ProductType, Surcharge, Variant
from faregate.files.catalogue.booking import ANY_TIME, BookingEntry
from faregate.files.catalogue.content import NO_CONTENT, ContentEntry
from faregate.files.catalogue.form_fields import FormFieldEntry
from faregate.files.catalogue.gate import AccessTariffEntry, QuantityTierEntry
from faregate.files.catalogue.pools import PoolUseEntry
from faregate.files.catalogue.prices import CardReductionEntry, DegressionEntry, PriceEntry, PriceStepsEntry
from faregate.files.catalogue.subscriptions import SubscriptionEntry
from faregate.files.fields.currencies import currencies_in
from faregate.files.fields.rates import VatRateEntry
from faregate.files.fields.types import (
    Amount,
    Count,
    FileModel,
    Id,
    ImageUrl,
    IsoDuration,
    ListOf,
    Name,
    Paragraph,
    Ranking,
    Slug,
    SomeOf,
    WholeNumber,
)
from faregate.files.fields.words import Words
from faregate.translations import Text


class AttributeEntry(FileModel):
    """What tells a variant from its siblings: ``identifier`` age, called ``name``, has ``value`` adult.

    ``metaInformation`` are keys and texts that shops pass on as they are.
    """

    identifier: Name
    value: Name
    name: Words
    translation: Words
    sort_order: Ranking = 0
    meta_information: dict[Name, Paragraph] = Field(default_factory=dict)

    def to_core(self) -> Attribute:
        """The core's value."""
        return Attribute(
            identifier=self.identifier,
            value=self.value,
            name=self.name.to_core(),
            translation=self.translation.to_core(),
            sort_order=self.sort_order,
            meta_information=tuple(self.meta_information.items()),
        )


class AgesEntry(FileModel):
    """Ages in full years, both included: ``{from: 6, to: 15}``; either may be left out."""

    first: Annotated[WholeNumber, Field(alias="from")] = 0
    last: Annotated[WholeNumber, Field(alias="to")] = HIGHEST_AGE

    def to_core(self) -> AgeRange:
        """The core's value."""
        return AgeRange(self.first, self.last)


class ExternalIdEntry(FileModel):
    """The id of a variant in another system; ``value`` is text, so quote what looks like a number."""

    system: Name
    kind: Name
    value: Name

    def to_core(self) -> ExternalId:
        """The core's value."""
        return ExternalId(system=self.system, kind=self.kind, value=self.value)


class VariantEntry(FileModel):
    """One way to buy a product. ``vatRate`` is in percent, ``floorPrice`` what discounts leave of a unit.

    ``uses`` are the places that a unit takes, by pool; a pool that is not named loses none. Without it:
    one of each pool of the product. ``accessTariffs`` are its prices for some sales at a gate.
    ``ages`` are those that it admits, on the first day, where a person is named.
    """

    id: Id
    name: Name
    translation: Words | None = None
    vat_rate: VatRateEntry
    prices: SomeOf[PriceEntry]
    attributes: ListOf[AttributeEntry] = ()
    external_ids: ListOf[ExternalIdEntry] = ()
    floor_price: Amount = 0
    is_standard: bool = False
    steps: PriceStepsEntry | None = None
    uses: dict[Name, Count] = Field(default_factory=dict)
    access_tariffs: ListOf[AccessTariffEntry] = ()
    ages: AgesEntry | None = None

    def to_core(self) -> Variant:
        """The core's value."""
        return Variant(
            id=self.id,
            name=self.name,
            rate=self.vat_rate.to_core(),
            prices=tuple(price.to_core() for price in self.prices),
            translation=self.translation.to_core() if self.translation else Text(self.name),
            attributes=tuple(attribute.to_core() for attribute in self.attributes),
            external_ids=tuple(external_id.to_core() for external_id in self.external_ids),
            floor_price=self.floor_price,
            is_standard=self.is_standard,
            steps=self.steps.to_core() if self.steps else None,
            uses=tuple(self.uses.items()),
            access_tariffs=tuple(tariff.to_core() for tariff in self.access_tariffs),
            ages=self.ages.to_core() if self.ages else None,
        )


class SurchargeEntry(FileModel):
    """What a weather guarantee costs, in the merchant's currency, sold as a variant of its own."""

    product_variant: Id
    price: Amount

    def to_core(self) -> Surcharge:
        """The core's value."""
        return Surcharge(self.product_variant, self.price)


class ProductEntry(FileModel):
    """Something for sale. ``merchant``, ``category`` and ``media`` name entries of the same file.

    ``durations`` are the lengths its validity may have, ISO 8601. ``standalone: false`` means that it is
    only sold with another item, ``discountable: false`` that no discount touches it. ``weatherGuarantee``
    is what that guarantee costs, where there is one; ``personFields`` are asked of each person. Places of
    ``soldPool`` that are sold move STEPPED prices. With ``neverAboveSingleDays`` several days cost no more
    than the same days bought as shorter validities of the product. ``allowsDepot``: it can be kept at the
    gate. With a ``subscription`` it is paid for again and again.
    """

    id: Id
    slug: Slug
    identifier: Name
    name: Name
    translation: Words | None = None
    type: Annotated[ProductType, Field(strict=False)]
    category: Id
    merchant: Name
    price_model: Annotated[PriceModel, Field(strict=False)] = PriceModel.STATIC
    durations: ListOf[IsoDuration] = ()
    media: ListOf[Id] = ()
    sort_order: Ranking = 0
    standalone: bool = True
    has_validity: bool = True
    discountable: bool = True
    image_url: ImageUrl = ""
    display_price: bool = True
    is_deletable: bool = True
    requires_personalization: bool = False
    requires_validation: bool = False
    requires_medium: bool = False
    is_confirmation_required: bool = False
    is_flex_ticket: bool = False
    is_max_one_ticket_per_person: bool = False
    is_unique_item: bool = False
    requires_owner: bool = False
    requires_billing_address: bool = False
    requires_shipping_address: bool = False
    weather_guarantee: ListOf[SurchargeEntry] = ()
    person_fields: ListOf[FormFieldEntry] = ()
    pools: ListOf[PoolUseEntry] = ()
    booking: BookingEntry = ANY_TIME
    sold_pool: Name | None = None
    degression: DegressionEntry | None = None
    never_above_single_days: bool = False
    card_reductions: ListOf[CardReductionEntry] = ()
    allows_depot: bool = False
    quantity_tiers: ListOf[QuantityTierEntry] = ()
    content: ContentEntry = NO_CONTENT
    subscription: SubscriptionEntry | None = None
    product_variants: SomeOf[VariantEntry]

    @model_validator(mode="wrap")
    @classmethod
    def _in_the_merchants_currency(
        cls, data: object, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        currencies = currencies_in(info)
        with currencies.reading(currencies.of_merchant(data)):
            return handler(data)

    def to_core(self) -> Product:
        """The core's value."""
        return Product(
            id=self.id,
            slug=self.slug,
            identifier=self.identifier,
            name=self.name,
            type=self.type,
            category=self.category,
            merchant=self.merchant,
            variants=tuple(variant.to_core() for variant in self.product_variants),
            translation=self.translation.to_core() if self.translation else Text(self.name),
            price_model=self.price_model,
            durations=self.durations,
            media=self.media,
            sort_order=self.sort_order,
            standalone=self.standalone,
            has_validity=self.has_validity,
            discountable=self.discountable,
            image_url=self.image_url,
            display_price=self.display_price,
            is_deletable=self.is_deletable,
            requires_personalization=self.requires_personalization,
            requires_validation=self.requires_validation,
            requires_medium=self.requires_medium,
            is_confirmation_required=self.is_confirmation_required,
            is_flex_ticket=self.is_flex_ticket,
            is_max_one_ticket_per_person=self.is_max_one_ticket_per_person,
            is_unique_item=self.is_unique_item,
            requires_owner=self.requires_owner,
            requires_billing_address=self.requires_billing_address,
            requires_shipping_address=self.requires_shipping_address,
            weather_guarantee=tuple(surcharge.to_core() for surcharge in self.weather_guarantee),
            person_fields=tuple(field.to_core() for field in self.person_fields),
            pools=tuple(use.to_core() for use in self.pools),
            booking=self.booking.to_core(),
            sold_pool=self.sold_pool,
            degression=self.degression.to_core() if self.degression else None,
            never_above_single_days=self.never_above_single_days,
            card_reductions=tuple(reduction.to_core() for reduction in self.card_reductions),
            allows_depot=self.allows_depot,
            quantity_tiers=tuple(tier.to_core() for tier in self.quantity_tiers),
            content=self.content.to_core(),
            subscription=self.subscription.to_core() if self.subscription else None,
        )
