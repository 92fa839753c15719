"""What is sold: products, the variants in which they are bought, and the media they are issued on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.presentation.content import ProductContent
from faregate.catalogue.price_rules import PriceModel
from faregate.translations import Text

if TYPE_CHECKING:
    from datetime import date

    from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
    from faregate.catalogue.pools import PoolUse
    from faregate.catalogue.presentation.form_fields import FormField
    from faregate.catalogue.price_rules import CardReduction, Degression, PriceRule, PriceSteps
    from faregate.dates.instants import Duration
    from faregate.money.amounts import MinorUnits
    from faregate.subscriptions.schedule import SubscriptionTerms
    from faregate.tax.rates import VatRate

MAX_AGE = 150
"""Bounds the ages of a catalogue."""


@dataclass(frozen=True, slots=True)
class AgeRange:
    """The ages that a variant admits, in full years; both ends are included."""

    first: int = 0
    last: int = MAX_AGE


def age_on(day: date, *, born: date) -> int:
    """Return the age in full years on *day*, which is negative before the birth.

    The birthday of 29 February is 1 March where the year is not a leap year.

    >>> from datetime import date
    >>> age_on(date(2026, 2, 28), born=date(2008, 2, 29)), age_on(date(2026, 3, 1), born=date(2008, 2, 29))
    (17, 18)
    """
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


class ProductType(Enum):
    """What a product is; a FEE is never discounted and counts towards no minimum."""

    TICKET = "TICKET"
    PASS = "PASS"
    SERVICE = "SERVICE"
    FEE = "FEE"


class MediumIntent(Enum):
    """What a price component of a medium is for."""

    SENDING_FEE = "SENDING_FEE"
    DEPOSIT = "DEPOSIT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """What tells a variant from its siblings, for example ``age`` = ``adult``.

    ``meta_information`` are keys and texts that shops pass on as they are.
    """

    identifier: str
    value: str
    name: Text
    translation: Text
    sort_order: int = 0
    meta_information: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalId:
    """The id of a variant in another system, for example that of a gate."""

    system: str
    kind: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One way to buy a product. ``floor_price`` is the least that discounts may leave of one unit.

    ``ages`` are those that it admits, where its person is known; None: all.

    ``uses`` are the places that a unit takes, by pool; none given: one of each pool of the product. Of the
    ``access_tariffs`` the first that is for a sale at a gate takes the place of the prices (decisions §9).
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

    @cached_property
    def selectors(self) -> frozenset[tuple[str, str]]:
        """Its attributes as discounts select on them: pairs of identifier and value."""
        return frozenset((attribute.identifier, attribute.value) for attribute in self.attributes)

    @cached_property
    def derived(self) -> dict[type, object]:
        """Values that other rooms compute from the variant, by their class; they live as long as it does."""
        return {}


@dataclass(frozen=True, slots=True)
class Surcharge:
    """What a weather guarantee costs, sold as a variant of its own."""

    variant: int
    price: MinorUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """Something for sale. ``durations`` are the lengths its validity may have.

    ``sold_pool`` is the pool whose sold places move STEPPED prices; without ``degression`` a day costs the
    same whether it is the first or the last of several. With ``never_above_single_days`` several days never
    cost more than the same days bought as shorter validities of the product. ``person_fields`` are what is
    asked of each person the product is for. At gates it can be kept there if it ``allows_depot``, and many
    units cost less from ``quantity_tiers`` on (decisions §9). Which of the flags are enforced, and when:
    decisions §11.10.
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
    degression: Degression | None = None
    never_above_single_days: bool = False
    card_reductions: tuple[CardReduction, ...] = ()
    allows_depot: bool = False
    quantity_tiers: tuple[QuantityTier, ...] = ()
    content: ProductContent = ProductContent()
    subscription: SubscriptionTerms | None = None

    @property
    def is_subscription(self) -> bool:
        """Whether it is paid for again and again."""
        return self.subscription is not None

    @property
    def standard_variant(self) -> Variant:
        """The variant that the catalogue calls standard; else the first."""
        return next((variant for variant in self.variants if variant.is_standard), self.variants[0])

    @property
    def supports_weather_guarantee(self) -> bool:
        """Whether a weather guarantee can be chosen for it."""
        return bool(self.weather_guarantee)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceComponent:
    """What choosing a medium costs, sold as a variant of its own."""

    variant: int
    price: MinorUnits
    intent: MediumIntent


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """What a ticket is issued on, for example a keycard."""

    id: int
    type: str
    name: Text
    description: Text = Text()
    price_components: tuple[PriceComponent, ...] = ()
