"""The price rules of a catalogue; ``faregate.list_prices`` applies them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum

from faregate.catalogue.calendars import DayPattern
from faregate.dates.durations import Duration
from faregate.money.amounts import MILLION, MinorUnits
from faregate.money.rounding import rdiv


class PriceModel(Enum):
    """The method by which the list price of a product is determined.

    STATIC has one price for a whole validity period, regardless of its dates. CALENDAR has a price for each
    service day. STEPPED prices also depend on how early a day is bought and on the units already sold.
    """

    STATIC = "STATIC"
    CALENDAR = "CALENDAR"
    STEPPED = "STEPPED"


@dataclass(frozen=True, slots=True)
class PriceRule:
    """A list price and its conditions; a condition that is not given always holds.

    With a ``duration``, the amount is the price of a whole validity period of that length (a rung of a
    ladder), and the conditions are checked on its first day. Without a duration, it is the price of one
    service day or, under STATIC, of any period. STATIC ignores ``when``. A step of a STEPPED price begins at
    ``min_lead_days`` and ``min_sold``; the other models ignore both.
    """

    amount: MinorUnits
    duration: Duration | None = None
    _: KW_ONLY
    discount_card: int | None = None
    when: DayPattern = DayPattern()
    min_lead_days: int = 0
    min_sold: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceSteps:
    """Steps by which the day prices of a STEPPED variant rise; the prices of whole durations stay fixed.

    Day prices rise by ``step`` whenever another ``every`` units have been sold, within ``floor`` and
    ``ceiling``. With ``ratchet``, the price of a service day never falls as time passes and units are sold.
    """

    step: MinorUnits = 0
    every: int = 1
    floor: MinorUnits = 0
    ceiling: MinorUnits | None = None
    ratchet: bool = False


@dataclass(frozen=True, slots=True)
class Degression:
    """The weights, in parts per million, of the day prices in the price of several days.

    The first weight is for the first day, and the last one also applies to all further days. The weighted
    sum is rounded once, half up, to a multiple of ``increment``.
    """

    factors: tuple[int, ...]
    increment: MinorUnits = 1


@dataclass(frozen=True, slots=True)
class CardReduction:
    """A price reduction for holders of a discount card, unless a price for that card applies.

    The reduced price is rounded once, half up, to a multiple of ``increment``, and never exceeds the full
    price.
    """

    discount_card: int
    parts_per_million: int
    _: KW_ONLY
    increment: MinorUnits = 1


def reduced(price: MinorUnits, parts_per_million: int, *, increment: MinorUnits) -> MinorUnits:
    """Return *price* reduced by *parts_per_million*, but never more than *price*.

    The result is rounded half up to a multiple of *increment*.

    >>> reduced(8005, 250_000, increment=50), reduced(8005, 100, increment=9000)
    (6000, 8005)
    """
    left = (MILLION - parts_per_million) * price
    return min(rdiv(left, MILLION * increment) * increment, price)
