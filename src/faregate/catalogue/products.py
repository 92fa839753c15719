"""Products, their variants, and the media on which tickets are issued."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cached_property

from faregate.arguments.fields import Derived
from faregate.catalogue.ages import AgeRange
from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.catalogue.pools import PoolUse
from faregate.catalogue.presentation.content import ProductContent
from faregate.catalogue.presentation.form_fields import FormField
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule, PriceSteps
from faregate.dates.durations import Duration
from faregate.money.amounts import MinorUnits
from faregate.subscriptions.terms import SubscriptionTerms
from faregate.tax.changes import RateChange, rate_on
from faregate.tax.rates import VatRate
from faregate.translations import Text


class ProductType(Enum):
    """The type of a product; a FEE is never discounted and never counts towards a discount's minimum."""

    TICKET = "TICKET"
    PASS = "PASS"
    SERVICE = "SERVICE"
    FEE = "FEE"


class MediumIntent(Enum):
    """The purpose of a price component that is charged for a medium."""

    SENDING_FEE = "SENDING_FEE"
    DEPOSIT = "DEPOSIT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A property that distinguishes a variant from its siblings, such as ``age`` = ``adult``.

    ``meta_information`` holds string values by key, which are passed to shops unchanged.
    """

    identifier: str
    value: str
    name: Text
    translation: Text
    sort_order: int = 0
    meta_information: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalId:
    """The id of a variant in another system, such as a gate."""

    system: str
    kind: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Variant(Derived):
    """A version of a product, such as the adult ticket; discounts never reduce it below ``floor_price``.

    ``ages`` are the ages admitted, checked if the person is known; None admits all ages. ``uses`` pairs each
    pool that the variant uses with the units taken from it per unit sold; if empty, one from each pool of
    the product. At a gate, the first of ``access_tariffs`` that applies to a sale replaces the prices.
    ``rate_changes`` are the VAT rates after ``rate``, in ascending order of date.
    """

    id: int
    name: str
    rate: VatRate
    prices: tuple[PriceRule, ...]
    translation: Text = Text()
    attributes: tuple[Attribute, ...] = ()
    external_ids: tuple[ExternalId, ...] = ()
    floor_price: MinorUnits = 0
    is_standard: bool = False
    steps: PriceSteps | None = None
    uses: tuple[tuple[str, int], ...] = ()
    access_tariffs: tuple[AccessTariff, ...] = ()
    ages: AgeRange | None = None
    rate_changes: tuple[RateChange, ...] = ()

    def rate_on(self, day: date) -> VatRate:
        """Return the VAT rate of a unit supplied on *day*."""
        return rate_on(day, self.rate, self.rate_changes) if self.rate_changes else self.rate

    @cached_property
    def selectors(self) -> frozenset[tuple[str, str]]:
        """The attributes as pairs of identifier and value, by which discounts select variants."""
        return frozenset((attribute.identifier, attribute.value) for attribute in self.attributes)

    @cached_property
    def derived(self) -> dict[type, object]:
        """A cache of values that other modules derive from the variant, keyed by their class."""
        return {}


@dataclass(frozen=True, slots=True)
class Surcharge:
    """The price of a weather guarantee, which is sold as a variant of its own."""

    variant: int
    price: MinorUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product for sale; ``durations`` are the possible lengths of its validity period.

    ``sold_pool`` is the pool whose sold units determine STEPPED prices; with ``counts_holds``, units held by
    open checkouts count as sold. Without ``degression``, every day is
    charged in full. With ``never_above_single_days``, several days never cost more than the same days bought
    as shorter periods of the product. ``person_fields`` holds the questions about each person who gets the
    product. At gates, ``allows_depot`` permits depot sales, and ``quantity_tiers`` reduce the price of large
    quantities. Decisions §11.10 lists the flags that are enforced.
    """

    id: int
    slug: str
    identifier: str
    name: str
    type: ProductType
    category: int
    merchant: str
    variants: tuple[Variant, ...]
    translation: Text = Text()
    price_model: PriceModel = PriceModel.STATIC
    durations: tuple[Duration, ...] = ()
    media: tuple[int, ...] = ()
    sort_order: int = 0
    standalone: bool = True
    has_validity: bool = True
    discountable: bool = True
    image_url: str = ""
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
    weather_guarantee: tuple[Surcharge, ...] = ()
    person_fields: tuple[FormField, ...] = ()
    pools: tuple[PoolUse, ...] = ()
    booking: BookingRules = BookingRules()
    sold_pool: str | None = None
    counts_holds: bool = False
    degression: Degression | None = None
    never_above_single_days: bool = False
    card_reductions: tuple[CardReduction, ...] = ()
    allows_depot: bool = False
    quantity_tiers: tuple[QuantityTier, ...] = ()
    content: ProductContent = ProductContent()
    subscription: SubscriptionTerms | None = None

    @property
    def is_subscription(self) -> bool:
        """True if the product is charged periodically."""
        return self.subscription is not None

    @property
    def standard_variant(self) -> Variant:
        """The variant marked as standard, or else the first."""
        return next((variant for variant in self.variants if variant.is_standard), self.variants[0])

    @property
    def supports_weather_guarantee(self) -> bool:
        """True if customers can add a weather guarantee."""
        return bool(self.weather_guarantee)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceComponent:
    """A part of the price of a medium, sold as a variant of its own."""

    variant: int
    price: MinorUnits
    intent: MediumIntent


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """A carrier on which tickets are issued, such as a keycard."""

    id: int
    type: str
    name: Text
    description: Text = Text()
    price_components: tuple[PriceComponent, ...] = ()
