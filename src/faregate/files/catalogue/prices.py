"""Prices of a catalogue file: what a variant costs, and how that moves with days, lead time and sales.

Amounts are in the merchant's currency, percentages in percent. A STEPPED product has prices by day and by
how early it is bought, which rise while places of a pool are sold. Of such a product::

    priceModel: STEPPED
    soldPool: mountain
    degression: {percent: [100, 90, 80], increment: 0.50}
    cardReductions: [{discountCard: 1, percent: 20, increment: 0.50}]

and of its variants::

    steps: {step: 2.00, every: 100, floor: 49.00, ceiling: 99.00, ratchet: true}
    prices:
      - {amount: 59.00, minLeadDays: 14, when: {weekdays: [1, 2, 3, 4]}}
      - {amount: 69.00}
      - {amount: 89.00, minSold: 1500}

Gates have tariffs for some sales, and tiers for many units at once. They know a variant by its
``externalIds`` of the kinds ``dta_product_id`` with ``dta_consumer_category``, or ``system_product_id``
with ``system_consumer_category``. Of a variant::

    accessTariffs:
      - {isOnline: false, isDepot: true, prices: [{amount: 75.00}]}
      - {isOnline: false, prices: [{amount: 84.00}], steps: {floor: 84.00}}

and of its product::

    allowsDepot: true
    quantityTiers: [{minQuantity: 20, percent: 10, increment: 0.50}]
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.catalogue.price_rules import CardReduction, Degression, PriceRule, PriceSteps
from faregate.files.catalogue.calendars import EVERY_DAY, WhenEntry
from faregate.files.fields.models import Entry
from faregate.files.fields.types import (
    Amount,
    Count,
    Factor,
    Id,
    IsoDuration,
    MinimumCount,
    PercentKey,
    PositiveAmount,
    SomeOf,
)


class PriceEntry(Entry[PriceRule]):
    """A list price: for one ``duration``, to holders of one ``discountCard``, on the days ``when``.

    With a ``duration`` it is the price of a whole validity that long, else that of one day, or under STATIC
    that of any validity. ``minLeadDays`` and ``minSold`` are where a step of a STEPPED price begins.
    """

    amount: Amount
    duration: IsoDuration | None = None
    discount_card: Id | None = None
    when: WhenEntry = EVERY_DAY
    min_lead_days: Count = 0
    min_sold: Count = 0


class PriceStepsEntry(Entry[PriceSteps]):
    """How the day prices of a STEPPED variant move beyond its rules.

    They rise by ``step`` for ``every`` so many places sold, and stay between ``floor`` and ``ceiling``.
    With ``ratchet`` the price of a day never falls again.
    """

    step: Amount = 0
    every: MinimumCount = 1
    floor: Amount = 0
    ceiling: Amount | None = None
    ratchet: bool = False


class DegressionEntry(Entry[Degression]):
    """What percentage of their prices the first, second … of several days cost; the last one repeats.

    The sum is rounded to a multiple of ``increment``; by default to the smallest unit.
    """

    factors: Annotated[SomeOf[Factor], Field(alias="percent")]
    increment: PositiveAmount = 1


class CardReductionEntry(Entry[CardReduction]):
    """How many percent less holders of a discount card pay, where no price of their own applies.

    The price is rounded to a multiple of ``increment``; by default to the smallest unit.
    """

    discount_card: Id
    parts_per_million: PercentKey
    increment: PositiveAmount = 1


class AccessTariffEntry(Entry[AccessTariff]):
    """Prices, with ``steps`` of their own, for sales at a gate that are online or kept there, or are not.

    What is left out is for both. The first tariff for a sale counts, else the variant's own prices.
    """

    prices: SomeOf[PriceEntry]
    is_online: bool | None = None
    is_depot: bool | None = None
    steps: PriceStepsEntry | None = None


class QuantityTierEntry(Entry[QuantityTier]):
    """How many percent less the total of ``minQuantity`` units and more is at a gate.

    The total is rounded to a multiple of ``increment``; by default to the smallest unit.
    """

    min_quantity: MinimumCount
    parts_per_million: PercentKey
    increment: PositiveAmount = 1
