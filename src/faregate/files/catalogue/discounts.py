"""Automatic discounts and promo codes of a catalogue file: what they take, of which lines, and when.

Amounts are in the file's currency, percentages in percent. A discount reads::

    - id: 7
      code: FAMILY20
      displayName: {en: Family day, de: Familientag}
      discount: {discountType: PERCENTAGE, percent: 20, level: line}
      scope: {productVariants: [103]}
      conditions:
        endsAt: 2099-12-31T00:00:00+01:00
        thresholds: [{quantity: 2, counting: {productVariants: [101]}}]
"""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from faregate.dates.instants import DateRange
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.files.fields.types import (
    Amount,
    Code,
    Count,
    Day,
    FileModel,
    Id,
    Instant,
    ListOf,
    MinimumCount,
    Name,
    Percent,
    PositiveAmount,
    Ranking,
    SetOf,
    Uuid,
    Weekday,
)
from faregate.files.fields.words import Words
from faregate.money.amounts import MILLION
from faregate.translations import Text


class AttributeValueEntry(FileModel):
    """A value of an attribute: ``{identifier: age, value: adult}``."""

    identifier: Name
    value: Name


class DaysEntry(FileModel):
    """Local dates ``{from: 2026-12-26, to: 2027-01-03}``; both are in."""

    start: Annotated[Day, Field(alias="from")]
    last: Annotated[Day, Field(alias="to")]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.last < self.start:
            raise ValueError(f"{self.last} is before {self.start}")
        return self

    def to_core(self) -> DateRange:
        """The core's value, which ends a day later: there, the end is out."""
        return DateRange(self.start, self.last + timedelta(days=1))


class ScopeEntry(FileModel):
    """Which lines a rule selects: those that meet every criterion given; none given: all.

    ``weekdays`` (Monday is 1), ``days`` and lead days are about the day on which the validity starts.
    """

    products: SetOf[Id] = frozenset()
    product_variants: SetOf[Id] = frozenset()
    categories: SetOf[Id] = frozenset()
    attributes: ListOf[AttributeValueEntry] = ()
    discount_cards: SetOf[Id] = frozenset()
    weekdays: SetOf[Weekday] = frozenset()
    days: DaysEntry | None = None
    min_lead_days: Count | None = None
    max_lead_days: Count | None = None

    @model_validator(mode="after")
    def _lead_days_in_order(self) -> Self:
        least, most = self.min_lead_days, self.max_lead_days
        if least is not None and most is not None and most < least:
            raise ValueError(f"maxLeadDays {most} is below minLeadDays {least}")
        return self

    def to_core(self) -> Scope:
        """The core's value."""
        return Scope(
            products=self.products,
            variants=self.product_variants,
            categories=self.categories,
            attributes=frozenset((entry.identifier, entry.value) for entry in self.attributes),
            discount_cards=self.discount_cards,
            weekdays=self.weekdays,
            days=self.days.to_core() if self.days else None,
            min_lead_days=self.min_lead_days,
            max_lead_days=self.max_lead_days,
        )


_ALL = ScopeEntry()


class ThresholdEntry(FileModel):
    """A minimum of money, units, or both, that the lines in ``counting`` must reach."""

    spend: Amount = 0
    quantity: Count = 0
    counting: ScopeEntry = _ALL

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not self.spend and not self.quantity:
            raise ValueError("needs a spend or a quantity above 0")
        return self

    def to_core(self) -> Threshold:
        """The core's value."""
        return Threshold(self.spend, self.quantity, self.counting.to_core())


class ConditionsEntry(FileModel):
    """When a discount applies; ``endsAt`` is exclusive, ``weekdays`` are those of the order."""

    starts_at: Instant | None = None
    ends_at: Instant | None = None
    weekdays: SetOf[Weekday] = frozenset()
    channels: SetOf[Uuid] = frozenset()
    accounts: SetOf[Id] = frozenset()
    thresholds: ListOf[ThresholdEntry] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        starts, ends = self.starts_at, self.ends_at
        if starts is not None and ends is not None and ends <= starts:
            raise ValueError(f"endsAt {ends.isoformat()} is not after startsAt {starts.isoformat()}")
        return self

    def to_core(self) -> Conditions:
        """The core's value."""
        return Conditions(
            starts_at=self.starts_at,
            ends_at=self.ends_at,
            weekdays=self.weekdays,
            channels=self.channels,
            accounts=self.accounts,
            thresholds=tuple(threshold.to_core() for threshold in self.thresholds),
        )


_ALWAYS = ConditionsEntry()


class AbsoluteEntry(FileModel):
    """So much off the cart in scope, or each of its lines."""

    discount_type: Literal["ABSOLUTE"]
    amount: PositiveAmount
    level: Annotated[DiscountLevel, Field(strict=False)] = DiscountLevel.CART

    def to_core(self) -> Absolute:
        """The core's value."""
        return Absolute(self.amount, self.level)


class PercentageEntry(FileModel):
    """So many percent off the cart in scope, or each of its lines."""

    discount_type: Literal["PERCENTAGE"]
    percent: Percent
    level: Annotated[DiscountLevel, Field(strict=False)] = DiscountLevel.CART

    def to_core(self) -> Percentage:
        """The core's value."""
        return Percentage(parts_per_million=self.percent, level=self.level)


class FixedPriceEntry(FileModel):
    """Units in scope cost ``price``: each one or, with a ``groupSize``, so many of them together."""

    discount_type: Literal["FIXED_PRICE"]
    price: Amount
    group_size: MinimumCount = 1

    def to_core(self) -> FixedPrice:
        """The core's value."""
        return FixedPrice(self.price, self.group_size)


class PerUnitEntry(FileModel):
    """So much off each unit in scope."""

    discount_type: Literal["PER_UNIT"]
    amount: PositiveAmount

    def to_core(self) -> PerUnit:
        """The core's value."""
        return PerUnit(self.amount)


class BuyXGetYEntry(FileModel):
    """For every ``buy`` units ``get`` units at ``percent`` off (default 100: free), ``atMost`` so many times.

    ``rewards`` selects the units that become cheaper; without it they are units of the scope itself.
    """

    discount_type: Literal["BUY_X_GET_Y"]
    buy: MinimumCount
    get: MinimumCount
    percent: Percent = MILLION
    at_most: MinimumCount | None = None
    rewards: ScopeEntry | None = None

    def to_core(self) -> BuyXGetY:
        """The core's value."""
        rewards = self.rewards.to_core() if self.rewards else None
        return BuyXGetY(self.buy, self.get, self.percent, self.at_most, rewards)


DiscountEntry: TypeAlias = Annotated[
    AbsoluteEntry | PercentageEntry | FixedPriceEntry | PerUnitEntry | BuyXGetYEntry,
    Field(discriminator="discount_type"),
]


class AutoDiscountEntry(FileModel):
    """A discount nobody has to ask for; each line takes the best one, ties the higher ``priority``."""

    id: Id
    discount: DiscountEntry
    scope: ScopeEntry = _ALL
    conditions: ConditionsEntry = _ALWAYS
    priority: Ranking = 0
    max_amount: PositiveAmount | None = None
    display_name: Words
    description: Words | None = None

    def to_core(self) -> AutomaticDiscount:
        """The core's value."""
        return AutomaticDiscount(
            id=self.id,
            kind=self.discount.to_core(),
            scope=self.scope.to_core(),
            conditions=self.conditions.to_core(),
            priority=self.priority,
            max_amount=self.max_amount,
            name=self.display_name.to_core(),
            description=self.description.to_core() if self.description else Text(),
        )


class PromoCodeEntry(FileModel):
    """A discount that a code asks for.

    Codes apply by ``lane`` (lower first), then ``priority`` (higher first). ``usesLeft`` and
    ``budgetLeft`` are what earlier orders left; ``maxAmount`` caps one order, and at most ``maxUnits``
    units of it become cheaper.
    """

    id: Id
    code: Code
    discount: DiscountEntry
    scope: ScopeEntry = _ALL
    conditions: ConditionsEntry = _ALWAYS
    lane: Ranking = 0
    priority: Ranking = 0
    exclusive: bool = False
    max_amount: PositiveAmount | None = None
    max_units: MinimumCount | None = None
    uses_left: Count | None = None
    budget_left: Amount | None = None
    display_name: Words
    description: Words | None = None

    def to_core(self) -> PromoCode:
        """The core's value."""
        return PromoCode(
            code=self.code,
            kind=self.discount.to_core(),
            id=self.id,
            scope=self.scope.to_core(),
            conditions=self.conditions.to_core(),
            lane=self.lane,
            priority=self.priority,
            exclusive=self.exclusive,
            max_amount=self.max_amount,
            max_units=self.max_units,
            uses_left=self.uses_left,
            budget_left=self.budget_left,
            name=self.display_name.to_core(),
            description=self.description.to_core() if self.description else Text(),
        )
