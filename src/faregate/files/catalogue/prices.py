"""Prices of a catalogue file, which can depend on days, lead time and units sold.

Amounts are in the merchant's currency, percentages in percent. The prices of a STEPPED product depend on the
day and the lead time, and rise as units of a pool are sold. An example of such a product::

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

Gates can have tariffs of their own for some sales, and tiers for large quantities. A gate identifies a
variant by its ``externalIds`` of the kinds ``dta_product_id`` with ``dta_consumer_category``, or
``system_product_id`` with ``system_consumer_category``. An example of a variant::

    accessTariffs:
      - {isOnline: false, isDepot: true, prices: [{amount: 75.00}]}
      - {isOnline: false, prices: [{amount: 84.00}], steps: {floor: 84.00}}

and of its product::

    allowsDepot: true
    quantityTiers: [{minQuantity: 20, percent: 10, increment: 0.50}]
"""

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
    """A list price, which can be limited to a ``duration``, holders of a ``discountCard`` and some days.

    With a ``duration``, it is the price of a whole validity period; without one, it is the price of one day
    or, under STATIC pricing, of any period. ``minLeadDays`` and ``minSold`` mark where a step of a STEPPED
    price begins.
    """

    amount: Amount
    duration: IsoDuration | None = None
    discount_card: Id | None = None
    when: WhenEntry = EVERY_DAY
    min_lead_days: Count = 0
    min_sold: Count = 0


class PriceStepsEntry(Entry[PriceSteps]):
    """Steps by which the day prices of a STEPPED variant rise.

    Day prices rise by ``step`` whenever another ``every`` units have been sold, within ``floor`` and
    ``ceiling``. With ``ratchet``, the price of a day never falls.
    """

    step: Amount = 0
    every: MinimumCount = 1
    floor: Amount = 0
    ceiling: Amount | None = None
    ratchet: bool = False


class DegressionEntry(Entry[Degression]):
    """The weights, in percent, of the day prices of a validity period, beginning with the first day.

    The last weight also applies to all further days. The sum of the weighted prices is rounded to a multiple
    of ``increment``, by default one minor unit.
    """

    factors: Annotated[SomeOf[Factor], Field(alias="percent")]
    increment: PositiveAmount = 1


class CardReductionEntry(Entry[CardReduction]):
    """A price reduction in percent for holders of a discount card, unless a price for that card applies.

    The reduced price is rounded to a multiple of ``increment``, by default one minor unit.
    """

    discount_card: Id
    parts_per_million: PercentKey
    increment: PositiveAmount = 1


class AccessTariffEntry(Entry[AccessTariff]):
    """Prices, with their own ``steps``, for gate sales with the given ``isOnline`` and ``isDepot``.

    If one of these two is left out, the tariff applies regardless of it. The first tariff that matches a
    sale applies, or else the variant's own prices.
    """

    prices: SomeOf[PriceEntry]
    is_online: bool | None = None
    is_depot: bool | None = None
    steps: PriceStepsEntry | None = None


class QuantityTierEntry(Entry[QuantityTier]):
    """A reduction in percent of the total for ``minQuantity`` units or more at a gate.

    The reduced total is rounded to a multiple of ``increment``, by default one minor unit.
    """

    min_quantity: MinimumCount
    parts_per_million: PercentKey
    increment: PositiveAmount = 1
