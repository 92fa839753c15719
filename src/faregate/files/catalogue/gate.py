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
from faregate.files.fields.types import FileModel, MinimumCount, Percent, PositiveAmount, SomeOf


class AccessTariffEntry(FileModel):
    """Prices, with ``steps`` of their own, for sales at a gate that are online or kept there, or are not.

    What is left out is for both. The first tariff for a sale counts, else the variant's own prices.
    """

    prices: SomeOf[PriceEntry]
    is_online: bool | None = None
    is_depot: bool | None = None
    steps: PriceStepsEntry | None = None

    def to_core(self) -> AccessTariff:
        """The core's value."""
        return AccessTariff(
            prices=tuple(price.to_core() for price in self.prices),
            is_online=self.is_online,
            is_depot=self.is_depot,
            steps=self.steps.to_core() if self.steps else None,
        )


class QuantityTierEntry(FileModel):
    """How many percent less the total of ``minQuantity`` units and more is at a gate.

    The total is rounded to a multiple of ``increment``; by default to the smallest unit.
    """

    min_quantity: MinimumCount
    percent: Percent
    increment: PositiveAmount = 1

    def to_core(self) -> QuantityTier:
        """The core's value."""
        return QuantityTier(self.min_quantity, self.percent, increment=self.increment)
