"""Definitions of discounts: kind, scope and conditions. Decisions §3.

``eligibility`` decides whether a discount applies and ``amounts`` how much it takes off; ``automatic`` and
``promo_codes`` decide which discounts win.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import ClassVar, TypeAlias

from faregate._values import public_value, union_member
from faregate.arguments.checks import Whole, checked
from faregate.dates.instants import DateRange
from faregate.dates.times_of_day import TimeOfDay
from faregate.errors import InvalidDiscount, InvalidRate
from faregate.money.amounts import MAX_SLIPPED, MILLION, MinorUnits, parts_per_million, slipped
from faregate.translations import Text


class DiscountType(Enum):
    """Kind of discount, under the name used in JSON."""

    ABSOLUTE = "ABSOLUTE"
    PERCENTAGE = "PERCENTAGE"
    FIXED_PRICE = "FIXED_PRICE"
    PER_UNIT = "PER_UNIT"
    BUY_X_GET_Y = "BUY_X_GET_Y"
    BUNDLE = "BUNDLE"


class DiscountLevel(Enum):
    """Level at which a discount is computed: once for all lines in scope and then allocated, or per line."""

    CART = "cart"
    LINE = "line"


def _check_weekdays(weekdays: frozenset[int]) -> None:
    if not weekdays <= _WEEKDAYS:
        raise InvalidDiscount(f"expected weekdays from 1 (Monday) to 7, got {sorted(weekdays - _WEEKDAYS)}")


_WEEKDAYS = frozenset(range(1, 8))


_COUNT, _SOME, _SOME_OR_NONE = Whole(0), Whole(1), Whole(1, or_none=True)


@public_value
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount)
class Scope:
    """Selection of lines: those that meet every criterion that is set, or all lines if none is set.

    A criterion names the values it accepts. ``weekdays`` (Monday is 1) and ``days`` refer to the day on which
    the validity period starts; lead days count from the order's local date to that day. Excluded products,
    variants and categories do not belong to the selection.

    >>> Scope(products=frozenset({11})) == EVERYTHING
    False
    """

    lines: frozenset[int] = frozenset()
    products: frozenset[int] = frozenset()
    variants: frozenset[int] = frozenset()
    categories: frozenset[int] = frozenset()
    attributes: frozenset[tuple[str, str]] = frozenset()
    discount_cards: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()
    days: DateRange | None = None
    min_lead_days: int | None = None
    max_lead_days: int | None = None
    excluded_products: frozenset[int] = frozenset()
    excluded_variants: frozenset[int] = frozenset()
    excluded_categories: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        _check_weekdays(self.weekdays)


EVERYTHING = Scope()


@public_value
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount, spend=_COUNT, quantity=_COUNT)
class Threshold:
    """A minimum that the lines selected by ``counting`` must reach: money, units, or both."""

    spend: MinorUnits = 0
    quantity: int = 0
    counting: Scope = EVERYTHING


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidDiscount)
class Conditions:
    """Conditions under which a discount applies, each optional. ``ends_at`` is exclusive.

    ``weekdays`` (Monday is 1) and ``time_of_day`` are those of the order; ``Scope.weekdays`` are those of the
    visit. The customer belongs to at least one of ``customer_groups``.
    """

    starts_at: datetime | None = None
    ends_at: datetime | None = None
    weekdays: frozenset[int] = frozenset()
    channels: frozenset[str] = frozenset()
    accounts: frozenset[int] = frozenset()
    customer_groups: frozenset[str] = frozenset()
    thresholds: tuple[Threshold, ...] = ()
    time_of_day: TimeOfDay | None = None

    def __post_init__(self) -> None:
        for instant in (self.starts_at, self.ends_at):
            if instant is not None and instant.tzinfo is None:
                raise InvalidDiscount(f"expected starts_at and ends_at with a UTC offset, got {instant}")
        _check_weekdays(self.weekdays)


ALWAYS = Conditions()


@union_member
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount, amount=_SOME)
class Absolute:
    """Fixed amount off each line in scope, or off all of them together and then allocated to them."""

    type: ClassVar = DiscountType.ABSOLUTE
    amount: MinorUnits
    level: DiscountLevel = DiscountLevel.CART


@union_member
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidDiscount, parts_per_million=Whole(1, MILLION))
class Percentage:
    """Percentage off, in parts per million; rounded once for all lines in scope, or once per line.

    >>> Percentage.percent(10)
    Percentage(parts_per_million=100000, level=<DiscountLevel.CART: 'cart'>)
    """

    type: ClassVar = DiscountType.PERCENTAGE
    parts_per_million: int
    level: DiscountLevel = DiscountLevel.CART

    def __post_init__(self) -> None:
        if self.parts_per_million <= MAX_SLIPPED:
            raise InvalidDiscount(slipped("Percentage", self.parts_per_million))

    @classmethod
    def percent(
        cls, percent: str | int | Decimal | Fraction, *, level: DiscountLevel = DiscountLevel.CART
    ) -> Percentage:
        """Return a discount of exactly *percent* percent; a float is refused."""
        try:
            parts = parts_per_million(percent)
        except InvalidRate as error:
            raise InvalidDiscount(str(error)) from error
        return cls(parts_per_million=parts, level=level)


@union_member
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount, price=_COUNT, group_size=_SOME)
class FixedPrice:
    """Fixed price of each unit in scope or, with a *group_size*, of each group of units.

    A price per unit applies line by line and never raises a price. A group may have units of several lines
    ("any three for 99"). The discount is ``max(0, list - price * groups)``, where *list* is the price of the
    units in whole groups. These are the dearest units, as long as a group costs less than its units; with
    ``Fairness.MERCHANT``, they are the cheapest units, in as many groups as possible.
    """

    type: ClassVar = DiscountType.FIXED_PRICE
    price: MinorUnits
    group_size: int = 1


@union_member
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount, amount=_SOME)
class PerUnit:
    """Fixed amount off each unit in scope; at most the price of the line is taken off."""

    type: ClassVar = DiscountType.PER_UNIT
    amount: MinorUnits


@union_member
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount, buy=_SOME, get=_SOME, parts_per_million=Whole(1, MILLION), at_most=_SOME_OR_NONE)
class BuyXGetY:
    """Free or reduced units: for every *buy* units, *get* units at ``parts_per_million`` off.

    Only whole groups count, including their rewards, and *at_most* limits the number of groups. *rewards*
    selects the units that become cheaper; by default, they come from the scope itself ("three for two"). A
    line selected by both the scope and *rewards* is a reward, never a purchase. With *spread*, all units of a
    group share its discount in proportion to their prices, as an offer whose units have several VAT rates may
    require; otherwise, only the units that become cheaper have it.
    """

    type: ClassVar = DiscountType.BUY_X_GET_Y
    buy: int
    get: int
    parts_per_million: int = MILLION
    at_most: int | None = None
    rewards: Scope | None = None
    spread: bool = False


MAX_PARTS = 8
"""Maximum number of parts of a bundle."""


@public_value
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount, units=_SOME)
class BundlePart:
    """Part of a bundle: the number of units that each bundle has of the lines in *scope*."""

    scope: Scope
    units: int = 1


@union_member
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(
    InvalidDiscount,
    price=Whole(0, or_none=True),
    parts_per_million=Whole(1, MILLION, or_none=True),
    at_most=_SOME_OR_NONE,
)
class Bundle:
    """Price of a set of different units, such as 2 adults and 2 children, or a percentage off it.

    Either *price* or *parts_per_million* must be set. Only whole bundles count, and *at_most* limits their
    number. A unit is in at most one part of one bundle, even if several parts select its line. Bundles have
    the dearest units of each part, as long as a bundle costs less than its units; with
    ``Fairness.MERCHANT``, they have the cheapest units, and there are as many bundles as possible.

    With *same_day*, all units of a bundle have a validity that starts on the same day, or none of them has a
    validity.

    >>> adults, children = Scope(variants=frozenset({101})), Scope(variants=frozenset({103}))
    >>> Bundle(parts=(BundlePart(adults, 2), BundlePart(children, 2)), price=3000).group_size
    4
    """

    type: ClassVar = DiscountType.BUNDLE
    parts: tuple[BundlePart, ...]
    price: MinorUnits | None = None
    parts_per_million: int | None = None
    at_most: int | None = None
    same_day: bool = True

    def __post_init__(self) -> None:
        if not 1 <= len(self.parts) <= MAX_PARTS:
            raise InvalidDiscount(f"expected 1 to {MAX_PARTS} parts of a bundle, got {len(self.parts)}")
        if (self.price is None) == (self.parts_per_million is None):
            given = "both" if self.price is not None else "neither"
            raise InvalidDiscount(f"expected either price or parts_per_million of a bundle, got {given}")
        parts = self.parts_per_million
        if parts is not None and parts <= MAX_SLIPPED:
            raise InvalidDiscount(
                f"parts_per_million is {parts}: for {parts} % write parts_per_million={parts * 10_000}"
            )

    @property
    def group_size(self) -> int:
        """Number of units of a bundle."""
        return sum(part.units for part in self.parts)


DiscountKind: TypeAlias = Absolute | Percentage | FixedPrice | PerUnit | BuyXGetY | Bundle


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidDiscount, max_amount=_SOME_OR_NONE)
class AutomaticDiscount:
    """A discount that applies without a code; each unit gets only the best one.

    If an ``exclusive`` discount takes anything off, no other automatic discount applies, even if others would
    take off more; of several, the one with the highest priority applies, then the one with the lowest id.
    """

    id: int
    kind: DiscountKind
    scope: Scope = EVERYTHING
    conditions: Conditions = ALWAYS
    priority: int = 0
    exclusive: bool = False
    max_amount: MinorUnits | None = None
    name: Text = Text()
    description: Text = Text()

    @property
    def is_group_rule(self) -> bool:
        """True if the discount is computed for several lines together, so it applies to all or none."""
        match self.kind:
            case BuyXGetY() | Bundle():
                return True
            case FixedPrice(group_size=size):
                return size > 1
            case Absolute(level=level) | Percentage(level=level):
                return level is DiscountLevel.CART
            case _:
                return False


@union_member
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidDiscount, max_amount=_SOME_OR_NONE, max_units=_SOME_OR_NONE, max_units_per_line=_SOME_OR_NONE)
class PromoCode:
    """A discount that applies when its code is entered; codes are compared after ``normalize_code``.

    Codes apply in order of ``lane`` (lower first), ``priority`` (higher first), kind and code; an
    ``exclusive`` code excludes all others. ``uses_left`` and ``budget_left`` are the uses and the money that
    remain after earlier orders; at 0 or below, the code is used up. A checkout counts as one use.
    ``max_units`` limits the units that one use makes cheaper: the dearest (``Fairness.MERCHANT``: the
    cheapest), in whole groups only. ``max_units_per_line`` limits the units of each line to which the code
    applies; the others are treated as if they were not in scope.

    >>> PromoCode(code=" ten ", kind=Percentage.percent(10)).code
    'TEN'
    """

    code: str
    kind: DiscountKind
    id: int = 0
    scope: Scope = EVERYTHING
    conditions: Conditions = ALWAYS
    lane: int = 0
    priority: int = 0
    exclusive: bool = False
    max_amount: MinorUnits | None = None
    max_units: int | None = None
    uses_left: int | None = None
    budget_left: MinorUnits | None = None
    max_units_per_line: int | None = None
    name: Text = Text()
    description: Text = Text()
    limit: MinorUnits | None = field(init=False, repr=False, compare=False)
    """Maximum amount that the code may take off: the lower of ``max_amount`` and ``budget_left``."""
    is_used_up: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", normalize_code(self.code))
        limits = [limit for limit in (self.max_amount, self.budget_left) if limit is not None]
        object.__setattr__(self, "limit", min(limits, default=None))
        used_up = any(left is not None and left <= 0 for left in (self.uses_left, self.budget_left))
        object.__setattr__(self, "is_used_up", used_up)
        if not self.code:
            raise InvalidDiscount("promo code is empty")


@union_member
@dataclass(frozen=True, slots=True)
@checked(InvalidDiscount)
class UnknownCode:
    """A code that was entered but does not exist; it is listed in the results and is never valid."""

    code: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", normalize_code(self.code))


def normalize_code(text: str) -> str:
    r"""Return a code in the form used for comparison, regardless of how it was typed or pasted.

    Compatibility characters become plain ones, formatting characters and surrounding whitespace are removed,
    and letters become upper case.

    >>> normalize_code(" summer10 "), normalize_code("\uff33\u200bKI")
    ('SUMMER10', 'SKI')
    """
    if text.isascii():
        return text.strip().upper()
    from unicodedata import category, normalize

    visible = [character for character in normalize("NFKC", text) if category(character) != "Cf"]
    # Normalise again: characters that are now upper case or adjacent may compose.
    return normalize("NFKC", "".join(visible).strip().upper())
