"""Products of a catalogue file, their variants and subscriptions, and media.

::

    subscription:
      renewal: yearly-on:11-01
      firstPeriod: prorate
      dayCount: actual
      minimalRunPeriods: 1
      hasPickup: true
"""

from typing import Annotated, Self

from pydantic import Field, ModelWrapValidatorHandler, ValidationInfo, model_validator

from faregate.catalogue.ages import MAX_AGE, AgeRange
from faregate.catalogue.price_rules import PriceModel
from faregate.catalogue.products import (
    Attribute,
    ExternalId,
    Medium,
    MediumIntent,
    PriceComponent,
    Product,
    ProductType,
    Surcharge,
    Variant,
)
from faregate.files.catalogue.calendars import ANY_TIME, BookingEntry
from faregate.files.catalogue.content import NO_CONTENT, ContentEntry, FormFieldEntry
from faregate.files.catalogue.pools import PoolUseEntry
from faregate.files.catalogue.prices import (
    AccessTariffEntry,
    CardReductionEntry,
    DegressionEntry,
    PriceEntry,
    PriceStepsEntry,
    QuantityTierEntry,
)
from faregate.files.fields.currencies import currencies_in
from faregate.files.fields.models import Entry
from faregate.files.fields.rates import RateChangeEntry, VatRateEntry
from faregate.files.fields.types import (
    Amount,
    Count,
    Id,
    ImageUrl,
    IsoDuration,
    ListOf,
    Name,
    OneOf,
    Paragraph,
    Ranking,
    RenewalText,
    Slug,
    SomeOf,
    WholeNumber,
    Words,
)
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.terms import FirstPeriod, SubscriptionTerms
from faregate.translations import Text


class PriceComponentEntry(Entry[PriceComponent]):
    """A part of the price of a medium, in the file's currency; it is sold as a separate variant."""

    variant: Annotated[Id, Field(alias="productVariant")]
    price: Amount
    intent: OneOf[MediumIntent]


class MediumEntry(Entry[Medium]):
    """A carrier on which tickets are issued, such as a keycard."""

    id: Id
    type: Name
    name: Words
    description: Words | None = None
    price_components: ListOf[PriceComponentEntry] = ()


_MAX_PERIODS = 1200


class SubscriptionEntry(Entry[SubscriptionTerms]):
    """The terms of a subscription: renewal, payment for the first period, and minimum term.

    ``renewal`` is ``every-days:30``, ``monthly``, ``yearly``, ``monthly-on:15`` or ``yearly-on:11-01``.
    """

    rule: Annotated[RenewalText, Field(alias="renewal")]
    first_period: OneOf[FirstPeriod] = FirstPeriod.WAIT
    day_count: OneOf[DayCount] = DayCount.ACTUAL
    minimal_run_periods: Annotated[int, Field(ge=0, le=_MAX_PERIODS)] = 0
    has_pickup: bool = False

    @model_validator(mode="after")
    def _terms_agree(self) -> Self:
        self.to_core()
        return self


class AttributeEntry(Entry[Attribute]):
    """A property of a variant, such as ``{identifier: age, value: adult}``; shops display its ``name``.

    ``metaInformation`` holds string values by key, which are passed to shops unchanged.
    """

    identifier: Name
    value: Name
    name: Words
    translation: Words
    sort_order: Ranking = 0
    meta_information: dict[Name, Paragraph] = Field(default_factory=dict)


class AgesEntry(Entry[AgeRange]):
    """A range of ages in full years, as in ``{from: 6, to: 15}``, both inclusive; either can be left out."""

    first: Annotated[WholeNumber, Field(alias="from")] = 0
    last: Annotated[WholeNumber, Field(alias="to")] = MAX_AGE


class ExternalIdEntry(Entry[ExternalId]):
    """The id of a variant in another system; ``value`` is text, so numbers must be quoted."""

    system: Name
    kind: Name
    value: Name


class VariantEntry(Entry[Variant]):
    """One way to buy a product; discounts never lower the price of a unit below ``floorPrice``.

    ``vatRate`` is in percent. ``uses`` maps each pool that the variant uses to the units taken from it per
    unit sold; by default, one from each pool of the product. ``accessTariffs`` are prices for some sales at
    a gate. ``ages`` are the ages admitted on the first day, checked if the person is known.
    ``vatRateChanges`` are the rates after ``vatRate``, in ascending order of date.
    """

    id: Id
    name: Name
    translation: Words | None = None
    rate: Annotated[VatRateEntry, Field(alias="vatRate")]
    prices: SomeOf[PriceEntry]
    attributes: ListOf[AttributeEntry] = ()
    external_ids: ListOf[ExternalIdEntry] = ()
    floor_price: Amount = 0
    is_standard: bool = False
    steps: PriceStepsEntry | None = None
    uses: dict[Name, Count] = Field(default_factory=dict)
    access_tariffs: ListOf[AccessTariffEntry] = ()
    ages: AgesEntry | None = None
    rate_changes: Annotated[ListOf[RateChangeEntry], Field(alias="vatRateChanges")] = ()

    def to_core(self, **values: object) -> Variant:
        """Return the variant; without a translation, its name is the text for every language."""
        return super().to_core(**(_translation(self) | values))


class SurchargeEntry(Entry[Surcharge]):
    """The price of a weather guarantee, in the merchant's currency; it is sold as a separate variant."""

    variant: Annotated[Id, Field(alias="productVariant")]
    price: Amount


class ProductEntry(Entry[Product]):
    """A product for sale; ``merchant``, ``category`` and ``media`` refer to entries of the same file.

    ``durations`` are the possible lengths of its validity period, in ISO 8601. ``standalone: false`` means
    that it is sold only with another item, ``discountable: false`` that it is never discounted.
    ``weatherGuarantee`` is the price of the guarantee, if offered. ``personFields`` holds the questions about
    each person. STEPPED prices depend on the units of ``soldPool`` sold. With ``neverAboveSingleDays``,
    several days never cost more than the same days bought as shorter periods of the product. ``allowsDepot``
    permits depot sales at gates. A product with a ``subscription`` is charged periodically.
    """

    id: Id
    slug: Slug
    identifier: Name
    name: Name
    translation: Words | None = None
    type: OneOf[ProductType]
    category: Id
    merchant: Name
    price_model: OneOf[PriceModel] = PriceModel.STATIC
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
    variants: Annotated[SomeOf[VariantEntry], Field(alias="productVariants")]

    @model_validator(mode="wrap")
    @classmethod
    def _in_the_merchants_currency(
        cls, data: object, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        currencies = currencies_in(info)
        with currencies.reading(currencies.of_merchant(data)):
            return handler(data)

    def to_core(self, **values: object) -> Product:
        """Return the product; without a translation, its name is the text for every language."""
        return super().to_core(**(_translation(self) | values))


def _translation(entry: VariantEntry | ProductEntry) -> dict[str, Text]:
    return {} if entry.translation else {"translation": Text(entry.name)}
