"""The data of a checkout: the customer's inputs and the list prices quoted for them.

Totals are not stored; ``price_checkout`` derives them.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from faregate._values import public_value
from faregate.checkout.code_limits import CodeLimit
from faregate.dates.instants import Interval
from faregate.discounts.kinds import PromoCode
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatRate

FIRST_SERVICE_ID = 2**31
"""The first id assigned by the service; lower ids are chosen by the client."""


class Quote(NamedTuple):
    """The list price and VAT rate quoted for an item, and the time of the quote; a quote never changes."""

    list_price: MinorUnits
    rate: VatRate
    at: datetime


class ComponentSource(Enum):
    """The source of a child item's price component: a medium, or the weather guarantee."""

    MEDIUM = "medium"
    WEATHER_GUARANTEE = "weather-guarantee"


class Component(NamedTuple):
    """The price component for which an item was added; ``position`` is its index in the ``source``."""

    source: ComponentSource
    position: int
    medium: int | None = None


@public_value
class CheckoutItem(NamedTuple):
    """One unit in a checkout.

    ``copy_of`` is the id of the item whose quantity this copy increases. An item with a ``component`` was
    added by the service and belongs to its parent. Without a ``quote``, an item is priced from the catalogue.
    """

    id: int
    variant: int
    validity: Interval | None = None
    parent: int | None = None
    discount_card: int | None = None
    person: int | None = None
    originated_from: int | None = None
    copy_of: int | None = None
    component: Component | None = None
    quote: Quote | None = None


@public_value
@dataclass(frozen=True, slots=True)
class Address:
    """A postal address, possibly incomplete."""

    address_line1: str | None = None
    address_line2: str | None = None
    zip: str | None = None
    city: str | None = None
    state: str | None = None
    country_code: str | None = None


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutConditions:
    """The customer's answers to the checkout form; None means not answered yet.

    ``media`` are pairs of item id and medium id; ``answers`` are pairs of question name and answer.
    """

    donation: MinorUnits | None = None
    weather_guarantee: bool | None = None
    accept_terms: bool | None = None
    billing_address: Address | None = None
    shipping_address: Address | None = None
    media: tuple[tuple[int, int], ...] = ()
    answers: tuple[tuple[str, str | int | bool], ...] = ()


@public_value
@dataclass(frozen=True, slots=True)
class Checkout:
    """The inputs of a checkout; ``codes`` holds promo codes and vouchers alike, as entered.

    ``removed`` has the ids of removed items, which a client cannot use again; ``next_id`` is the next id that
    the service assigns. ``spent`` is the part of each code limit that other checkouts had used at the last
    change; it keeps the totals the same when the checkout is displayed again. ``promo_codes`` has those of
    the ``codes`` that came from outside the catalogue. ``customer_groups`` are those that a trusted source
    named for the customer.
    """

    channel: str
    items: tuple[CheckoutItem, ...] = ()
    _: KW_ONLY
    codes: tuple[str, ...] = ()
    conditions: CheckoutConditions = CheckoutConditions()
    account: int | None = None
    customer_groups: frozenset[str] = frozenset()
    removed: frozenset[int] = frozenset()
    next_id: int = FIRST_SERVICE_ID
    spent: tuple[tuple[CodeLimit, int], ...] = ()
    promo_codes: tuple[PromoCode, ...] = ()

    @property
    def donation(self) -> MinorUnits:
        """The donation; 0 if the customer has not answered yet."""
        return self.conditions.donation or 0
