"""What a discount is: its kind, the lines it covers, when it applies. Decisions §3.

Definitions only. Whether one applies is in ``eligibility``, how much it takes in ``discount_amounts``,
which automatic ones win in ``automatic``, and which promo codes in ``stacking``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from faregate.errors import InvalidDiscount, InvalidRate
from faregate.money import MILLION, parts_per_million
from faregate.text import Text

if TYPE_CHECKING:
    from datetime import datetime
    from decimal import Decimal
    from fractions import Fraction

    from faregate.dates import DateRange
    from faregate.money import MinorUnits

__all__ = [
    "ALWAYS",
    "EVERYTHING",
    "Absolute",
    "AutomaticDiscount",
    "BuyXGetY",
    "Conditions",
    "DiscountKind",
    "DiscountType",
    "FixedPrice",
    "Level",
    "PerUnit",
    "Percentage",
    "PromoCode",
    "Scope",
    "Threshold",
    "UnknownCode",
    "normalize_code",
]


class DiscountType(Enum):
    """The kinds by their name on the wire (decisions §3.7)."""

    ABSOLUTE = "ABSOLUTE"
    PERCENTAGE = "PERCENTAGE"
    FIXED_PRICE = "FIXED_PRICE"
    PER_UNIT = "PER_UNIT"
    BUY_X_GET_Y = "BUY_X_GET_Y"


class Level(Enum):
    """Whether an amount is worked out once for all lines in scope, and shared, or for each line."""

    CART = "cart"
    LINE = "line"


def _check_weekdays(weekdays: frozenset[int]) -> None:
    if not weekdays <= _WEEKDAYS:
        raise InvalidDiscount(f"weekdays are 1 (Monday) to 7, got {sorted(weekdays - _WEEKDAYS)}")


_WEEKDAYS = frozenset(range(1, 8))


@dataclass(frozen=True, slots=True)
class Scope:
    """Which lines a rule selects: those that meet every criterion that is set; none set: all.

    A set criterion names the values it admits. ``weekdays`` (Monday is 1) and ``days`` are those on
    which the validity starts; lead days count from the order's local date to that day.

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

    def __post_init__(self) -> None:
        _check_weekdays(self.weekdays)


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class Threshold:
    """A minimum that the lines in ``counting`` must reach: money, units, or both."""

    spend: MinorUnits = 0
    quantity: int = 0
    counting: Scope = EVERYTHING

    def __post_init__(self) -> None:
        _check_whole("spend", self.spend)
        _check_whole("quantity", self.quantity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """When a discount applies; what is not set does not matter. ``ends_at`` is exclusive.

    ``weekdays`` (Monday is 1) are those of the order, where ``Scope.weekdays`` are those of the visit.
    """

    starts_at: datetime | None = None
    ends_at: datetime | None = None
    weekdays: frozenset[int] = frozenset()
    channels: frozenset[str] = frozenset()
    accounts: frozenset[int] = frozenset()
    thresholds: tuple[Threshold, ...] = ()

    def __post_init__(self) -> None:
        for instant in (self.starts_at, self.ends_at):
            if instant is not None and instant.tzinfo is None:
                raise InvalidDiscount(f"{instant} lacks its offset")
        _check_weekdays(self.weekdays)


ALWAYS = Conditions()


@dataclass(frozen=True, slots=True)
class Absolute:
    """So much off: the cart in scope, shared over its lines, or each line."""

    type: ClassVar = DiscountType.ABSOLUTE
    amount: MinorUnits
    level: Level = Level.CART

    def __post_init__(self) -> None:
        _check_whole("amount", self.amount, least=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Percentage:
    """So many parts per million off, rounded once: on the cart in scope, or on each line.

    >>> Percentage.percent(10)
    Percentage(parts_per_million=100000, level=<Level.CART: 'cart'>)
    """

    type: ClassVar = DiscountType.PERCENTAGE
    parts_per_million: int
    level: Level = Level.CART

    def __post_init__(self) -> None:
        _check_whole("parts_per_million", self.parts_per_million, least=1, most=MILLION)

    @classmethod
    def percent(cls, percent: str | int | Decimal | Fraction, *, level: Level = Level.CART) -> Percentage:
        """So many percent off, exactly; a float is refused."""
        try:
            parts = parts_per_million(percent)
        except InvalidRate as error:
            raise InvalidDiscount(str(error)) from error
        return cls(parts_per_million=parts, level=level)


@dataclass(frozen=True, slots=True)
class FixedPrice:
    """Units in scope cost *price*: each one or, with a *group_size*, so many of them together.

    One by one it works line by line and never raises a price. Groups reach across lines ("any three
    for 99"): ``max(0, list - price * groups)`` over the units in whole groups.
    """

    type: ClassVar = DiscountType.FIXED_PRICE
    price: MinorUnits
    group_size: int = 1

    def __post_init__(self) -> None:
        _check_whole("price", self.price)
        _check_whole("group_size", self.group_size, least=1)


@dataclass(frozen=True, slots=True)
class PerUnit:
    """So much off each unit in scope, never more than the line costs."""

    type: ClassVar = DiscountType.PER_UNIT
    amount: MinorUnits

    def __post_init__(self) -> None:
        _check_whole("amount", self.amount, least=1)


@dataclass(frozen=True, slots=True)
class BuyXGetY:
    """For every *buy* units, *get* units free, or at so many parts per million off.

    Whole groups only, and *at_most* so many of them. *rewards* selects the units that become free;
    by default they are units of the scope itself ("three for two"). A line that both the scope and
    *rewards* select is a reward, never a purchase.
    """

    type: ClassVar = DiscountType.BUY_X_GET_Y
    buy: int
    get: int
    parts_per_million: int = MILLION
    at_most: int | None = None
    rewards: Scope | None = None

    def __post_init__(self) -> None:
        _check_whole("buy", self.buy, least=1)
        _check_whole("get", self.get, least=1)
        _check_whole("parts_per_million", self.parts_per_million, least=1, most=MILLION)
        if self.at_most is not None:
            _check_whole("at_most", self.at_most, least=1)


DiscountKind: TypeAlias = Absolute | Percentage | FixedPrice | PerUnit | BuyXGetY


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomaticDiscount:
    """A discount nobody has to ask for; each line takes the best one only (decisions §3.2)."""

    id: int
    kind: DiscountKind
    scope: Scope = EVERYTHING
    conditions: Conditions = ALWAYS
    priority: int = 0
    max_amount: MinorUnits | None = None
    name: Text = Text()
    description: Text = Text()

    def __post_init__(self) -> None:
        if self.max_amount is not None:
            _check_whole("max_amount", self.max_amount, least=1)

    @property
    def is_group_rule(self) -> bool:
        """Whether it works across lines, and so wins or loses as a whole."""
        match self.kind:
            case BuyXGetY():
                return True
            case FixedPrice(group_size=size):
                return size > 1
            case Absolute(level=level) | Percentage(level=level):
                return level is Level.CART
            case _:
                return False


@dataclass(frozen=True, slots=True, kw_only=True)
class PromoCode:
    """A discount that a code asks for. Codes compare trimmed and upper-cased.

    Codes apply by ``lane`` (lower first), then ``priority`` (higher first), then kind, then code; an
    ``exclusive`` one stands alone. ``uses_left`` and ``budget_left`` are what earlier orders left; at
    0 or below the code is used up.

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
    uses_left: int | None = None
    budget_left: MinorUnits | None = None
    name: Text = Text()
    description: Text = Text()
    limit: MinorUnits | None = field(init=False, repr=False, compare=False)
    """The most it may take: the lower of ``max_amount`` and ``budget_left``."""
    is_used_up: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", normalize_code(self.code))
        for name in ("uses_left", "budget_left"):
            left = getattr(self, name)
            if left is not None and type(left) is not int:
                raise InvalidDiscount(f"{name} is {left!r}, expected an int")
        limits = [limit for limit in (self.max_amount, self.budget_left) if limit is not None]
        object.__setattr__(self, "limit", min(limits, default=None))
        used_up = any(left is not None and left <= 0 for left in (self.uses_left, self.budget_left))
        object.__setattr__(self, "is_used_up", used_up)
        if not self.code:
            raise InvalidDiscount("a promo code is empty")
        if self.max_amount is not None:
            _check_whole("max_amount", self.max_amount, least=1)


@dataclass(frozen=True, slots=True)
class UnknownCode:
    """A code that was entered but does not exist: it stays visible, and is never valid."""

    code: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", normalize_code(self.code))


def normalize_code(text: str) -> str:
    """The form in which codes compare.

    >>> normalize_code(" summer10 ")
    'SUMMER10'
    """
    return text.strip().upper()


def _check_whole(name: str, value: object, *, least: int = 0, most: int | None = None) -> None:
    if type(value) is not int or value < least or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise InvalidDiscount(f"{name} is {value!r}, expected an int {bounds}")
