"""Prices at a gate, of a catalogue file: tariffs for some sales there, and tiers for many units at once.

Of a variant, whose ``externalIds`` of the kinds ``dta_product_id`` with ``dta_consumer_category``, or
``system_product_id`` with ``system_consumer_category``, are what gates know it by::

    accessTariffs:
      - {isOnline: false, isDepot: true, prices: [{amount: 75.00}]}
      - {isOnline: false, prices: [{amount: 84.00}], steps: {floor: 84.00}}

and of its product::

    allowsDepot: true
    quantityTiers: [{minQuantity: 20, percent: 10, increment: 0.50}]
"""

from __future__ import annotations

from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.files.catalogue.prices import PriceEntry, PriceStepsEntry
from faregate.files.fields.models import Entry
from faregate.files.fields.types import MinimumCount, PercentKey, PositiveAmount, SomeOf


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
