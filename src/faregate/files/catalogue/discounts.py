"""Automatic discounts and promo codes of a catalogue file: amounts, scopes and conditions.

Amounts are in the file's currency, percentages in percent. An example of a discount::

    - id: 7
      code: FAMILY20
      displayName: {en: Family day, de: Familientag}
      discount: {discountType: PERCENTAGE, percent: 20, level: line}
      scope: {productVariants: [103]}
      conditions:
        endsAt: 2099-12-31T00:00:00+01:00
        thresholds: [{quantity: 2, counting: {productVariants: [101]}}]
"""

from datetime import timedelta
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from faregate.dates.instants import DateRange
from faregate.discounts.kinds import (
    MAX_PARTS,
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
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
from faregate.files.fields.models import Entry
from faregate.files.fields.types import (
    Amount,
    Code,
    Count,
    Day,
    Id,
    Instant,
    ListOf,
    MinimumCount,
    Name,
    OneOf,
    Percent,
    PercentKey,
    PositiveAmount,
    Ranking,
    SetOf,
    SomeOf,
    Uuid,
    Weekday,
    Words,
)
from faregate.money.amounts import MILLION


class AttributeValueEntry(Entry[tuple[str, str]]):
    """The value of an attribute, as in ``{identifier: age, value: adult}``."""

    identifier: Name
    value: Name

    def to_core(self, **_: object) -> tuple[str, str]:
        """Return the identifier and the value as a pair."""
        return self.identifier, self.value


class DaysEntry(Entry[DateRange]):
    """A range of local dates including its last day, as in ``{from: 2026-12-26, to: 2027-01-03}``."""

    start: Annotated[Day, Field(alias="from")]
    last: Annotated[Day, Field(alias="to")]

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.last < self.start:
            raise ValueError(f"the last day, {self.last}, is before the first day, {self.start}")
        return self

    def to_core(self, **_: object) -> DateRange:
        """Return the days as a ``DateRange``, whose end is the day after the last one."""
        return DateRange(self.start, self.last + timedelta(days=1))


class ScopeEntry(Entry[Scope]):
    """A selection of lines: those that meet every criterion given, or all lines if none is given.

    Excluded products, variants and categories do not belong to it.
    ``weekdays`` (Monday is 1), ``days`` and lead days refer to the day on which the validity starts.
    """

    products: SetOf[Id] = frozenset()
    variants: Annotated[SetOf[Id], Field(alias="productVariants")] = frozenset()
    categories: SetOf[Id] = frozenset()
    attributes: SetOf[AttributeValueEntry] = frozenset()
    discount_cards: SetOf[Id] = frozenset()
    weekdays: SetOf[Weekday] = frozenset()
    days: DaysEntry | None = None
    min_lead_days: Count | None = None
    max_lead_days: Count | None = None
    excluded_products: SetOf[Id] = frozenset()
    excluded_variants: Annotated[SetOf[Id], Field(alias="excludedProductVariants")] = frozenset()
    excluded_categories: SetOf[Id] = frozenset()

    @model_validator(mode="after")
    def _lead_days_in_order(self) -> Self:
        least, most = self.min_lead_days, self.max_lead_days
        if least is not None and most is not None and most < least:
            raise ValueError(f"maxLeadDays {most} is below minLeadDays {least}")
        return self


_ALL = ScopeEntry()


class ThresholdEntry(Entry[Threshold]):
    """A minimum amount, a minimum number of units, or both, for the lines that ``counting`` selects."""

    spend: Amount = 0
    quantity: Count = 0
    counting: ScopeEntry = _ALL

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not self.spend and not self.quantity:
            raise ValueError("expected spend or quantity above 0")
        return self


class ConditionsEntry(Entry[Conditions]):
    """The conditions of a discount; ``endsAt`` is exclusive, and ``weekdays`` refer to the order date."""

    starts_at: Instant | None = None
    ends_at: Instant | None = None
    weekdays: SetOf[Weekday] = frozenset()
    channels: SetOf[Uuid] = frozenset()
    accounts: SetOf[Id] = frozenset()
    customer_groups: SetOf[Name] = frozenset()
    thresholds: ListOf[ThresholdEntry] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        starts, ends = self.starts_at, self.ends_at
        if starts is not None and ends is not None and ends <= starts:
            raise ValueError(f"endsAt {ends.isoformat()} is not after startsAt {starts.isoformat()}")
        return self


_ALWAYS = ConditionsEntry()


class AbsoluteEntry(Entry[Absolute]):
    """A fixed amount off the total of the lines in scope, or off each of these lines."""

    discount_type: Annotated[Literal["ABSOLUTE"], Field(exclude=True)]
    amount: PositiveAmount
    level: OneOf[DiscountLevel] = DiscountLevel.CART


class PercentageEntry(Entry[Percentage]):
    """A percentage off the total of the lines in scope, or off each of these lines."""

    discount_type: Annotated[Literal["PERCENTAGE"], Field(exclude=True)]
    parts_per_million: PercentKey
    level: OneOf[DiscountLevel] = DiscountLevel.CART


class FixedPriceEntry(Entry[FixedPrice]):
    """A fixed ``price`` for each unit in scope, or for each group of ``groupSize`` units."""

    discount_type: Annotated[Literal["FIXED_PRICE"], Field(exclude=True)]
    price: Amount
    group_size: MinimumCount = 1


class PerUnitEntry(Entry[PerUnit]):
    """A fixed amount off each unit in scope."""

    discount_type: Annotated[Literal["PER_UNIT"], Field(exclude=True)]
    amount: PositiveAmount


class BuyXGetYEntry(Entry[BuyXGetY]):
    """For every ``buy`` units, ``get`` units at ``percent`` off (default: free), up to ``atMost`` times.

    ``rewards`` selects the units that become cheaper, by default among those in scope. With ``spread``, all
    units of a group share the discount.
    """

    discount_type: Annotated[Literal["BUY_X_GET_Y"], Field(exclude=True)]
    buy: MinimumCount
    get: MinimumCount
    parts_per_million: PercentKey = MILLION
    at_most: MinimumCount | None = None
    rewards: ScopeEntry | None = None
    spread: bool = False


class BundlePartEntry(Entry[BundlePart]):
    """A part of a bundle: ``units`` units of the lines that ``scope`` selects."""

    scope: ScopeEntry
    units: MinimumCount = 1


class BundleEntry(Entry[Bundle]):
    """Either a ``price`` for units of all ``parts`` together or ``percent`` off, up to ``atMost`` times.

    By default, all units of a bundle are for the same day.
    """

    discount_type: Annotated[Literal["BUNDLE"], Field(exclude=True)]
    parts: Annotated[SomeOf[BundlePartEntry], Field(max_length=MAX_PARTS)]
    price: Amount | None = None
    parts_per_million: Annotated[Percent | None, Field(alias="percent")] = None
    at_most: MinimumCount | None = None
    same_day: bool = True

    @model_validator(mode="after")
    def _has_price_or_percent(self) -> Self:
        if (self.price is None) == (self.parts_per_million is None):
            raise ValueError("expected either price or percent")
        return self


DiscountEntry: TypeAlias = Annotated[
    AbsoluteEntry | PercentageEntry | FixedPriceEntry | PerUnitEntry | BuyXGetYEntry | BundleEntry,
    Field(discriminator="discount_type"),
]


class AutoDiscountEntry(Entry[AutomaticDiscount]):
    """A discount without a code; of equally good ones, a unit gets the one with the highest ``priority``."""

    id: Id
    kind: Annotated[DiscountEntry, Field(alias="discount")]
    scope: ScopeEntry = _ALL
    conditions: ConditionsEntry = _ALWAYS
    priority: Ranking = 0
    exclusive: bool = False
    max_amount: PositiveAmount | None = None
    name: Annotated[Words, Field(alias="displayName")]
    description: Words | None = None


class PromoCodeEntry(Entry[PromoCode]):
    """A discount for customers who enter its code.

    Codes are applied in order of ``lane`` (lower first), then of ``priority`` (higher first). ``usesLeft``
    and ``budgetLeft`` are what remains after earlier orders. ``maxAmount`` limits the discount per order,
    and ``maxUnits`` the number of units that become cheaper.
    """

    id: Id
    code: Code
    kind: Annotated[DiscountEntry, Field(alias="discount")]
    scope: ScopeEntry = _ALL
    conditions: ConditionsEntry = _ALWAYS
    lane: Ranking = 0
    priority: Ranking = 0
    exclusive: bool = False
    max_amount: PositiveAmount | None = None
    max_units: MinimumCount | None = None
    uses_left: Count | None = None
    budget_left: Amount | None = None
    name: Annotated[Words, Field(alias="displayName")]
    description: Words | None = None
