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
"""

from __future__ import annotations

from faregate.catalogue.price_rules import CardReduction, Degression, PriceRule, PriceSteps
from faregate.files.catalogue.calendars import EVERY_DAY, WhenEntry
from faregate.files.fields.types import (
    Amount,
    Count,
    Factor,
    FileModel,
    Id,
    IsoDuration,
    MinimumCount,
    Percent,
    PositiveAmount,
    SomeOf,
)


class PriceEntry(FileModel):
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

    def to_core(self) -> PriceRule:
        """The core's value."""
        return PriceRule(
            amount=self.amount,
            duration=self.duration,
            discount_card=self.discount_card,
            when=self.when.to_core(),
            min_lead_days=self.min_lead_days,
            min_sold=self.min_sold,
        )


class PriceStepsEntry(FileModel):
    """How the day prices of a STEPPED variant move beyond its rules.

    They rise by ``step`` for ``every`` so many places sold, and stay between ``floor`` and ``ceiling``.
    With ``ratchet`` the price of a day never falls again.
    """

    step: Amount = 0
    every: MinimumCount = 1
    floor: Amount = 0
    ceiling: Amount | None = None
    ratchet: bool = False

    def to_core(self) -> PriceSteps:
        """The core's value."""
        return PriceSteps(
            step=self.step, every=self.every, floor=self.floor, ceiling=self.ceiling, ratchet=self.ratchet
        )


class DegressionEntry(FileModel):
    """What percentage of their prices the first, second … of several days cost; the last one repeats.

    The sum is rounded to a multiple of ``increment``; by default to the smallest unit.
    """

    percent: SomeOf[Factor]
    increment: PositiveAmount = 1

    def to_core(self) -> Degression:
        """The core's value."""
        return Degression(self.percent, self.increment)


class CardReductionEntry(FileModel):
    """How many percent less holders of a discount card pay, where no price of their own applies.

    The price is rounded to a multiple of ``increment``; by default to the smallest unit.
    """

    discount_card: Id
    percent: Percent
    increment: PositiveAmount = 1

    def to_core(self) -> CardReduction:
        """The core's value."""
        return CardReduction(self.discount_card, self.percent, increment=self.increment)
