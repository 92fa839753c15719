"""What a checkout is: the inputs that a customer gave, and the list prices that were promised.

Totals are no part of it; ``price_checkout`` derives them.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from faregate.checkout.code_limits import CodeLimit
    from faregate.dates.instants import Interval
    from faregate.money.amounts import MinorUnits
    from faregate.tax.rates import VatRate

FIRST_SERVICE_ID = 2**31
"""Ids below are the client's, ids from here on are chosen here (decisions §11.3)."""


class Quote(NamedTuple):
    """The list price and the rate that an item was given, and when; they stay as they are."""

    list_price: MinorUnits
    rate: VatRate
    at: datetime


class ComponentSource(Enum):
    """Whose price component a child item is."""

    MEDIUM = "medium"
    WEATHER_GUARANTEE = "weather-guarantee"


class Component(NamedTuple):
    """Which price component an item is: the one at ``position`` of its parent's medium or guarantee."""

    source: ComponentSource
    position: int
    medium: int | None = None


class CheckoutItem(NamedTuple):
    """One unit in a checkout; ``id`` is the client's number for it.

    ``copy_of`` is the item whose quantity it adds to. An item with a ``component`` was added here, and
    goes with its parent. Without a ``quote`` an item costs what the catalogue says when it is priced.
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


@dataclass(frozen=True, slots=True)
class Address:
    """An address as far as it was given."""

    address_line1: str | None = None
    address_line2: str | None = None
    zip: str | None = None
    city: str | None = None
    state: str | None = None
    country_code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutConditions:
    """What the customer answered in the form of the checkout; None: nothing yet (decisions §11.5).

    ``media`` are pairs of an item's and a medium's id, ``answers`` those to the channel's own questions.
    """

    donation: MinorUnits | None = None
    weather_guarantee: bool | None = None
    accept_terms: bool | None = None
    billing_address: Address | None = None
    shipping_address: Address | None = None
    media: tuple[tuple[int, int], ...] = ()
    answers: tuple[tuple[str, str | int | bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Checkout:
    """The inputs of a checkout. ``codes`` are as entered: promo codes and vouchers alike.

    ``removed`` are the client's ids that were used and must not come back, ``next_id`` is the next that
    is chosen here. ``spent`` is what others had spent of what its codes allow when it was last changed: one
    that is shown again shows the same (decisions §11.8).
    """

    channel: str
    items: tuple[CheckoutItem, ...] = ()
    _: KW_ONLY
    codes: tuple[str, ...] = ()
    conditions: CheckoutConditions = CheckoutConditions()
    account: int | None = None
    removed: frozenset[int] = frozenset()
    next_id: int = FIRST_SERVICE_ID
    spent: tuple[tuple[CodeLimit, int], ...] = ()

    @property
    def donation(self) -> MinorUnits:
        """What is donated."""
        return self.conditions.donation or 0
