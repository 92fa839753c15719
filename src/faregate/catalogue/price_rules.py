"""What a variant costs and when, as a catalogue says it; ``faregate.list_prices`` computes with it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import TYPE_CHECKING

from faregate.catalogue.calendars import DayPattern
from faregate.money.amounts import MILLION
from faregate.money.rounding import rdiv

if TYPE_CHECKING:
    from faregate.dates.instants import Duration
    from faregate.money.amounts import MinorUnits


class PriceModel(Enum):
    """How the list price of a product is found.

    STATIC: one price for the whole validity, whenever it is. CALENDAR: each service day has its price.
    STEPPED: the price of a day also depends on how early it is bought and on how much of it is sold.
    """

    STATIC = "STATIC"
    CALENDAR = "CALENDAR"
    STEPPED = "STEPPED"


@dataclass(frozen=True, slots=True)
class PriceRule:
    """A list price, and what it is for; what is not given is for all.

    With a ``duration`` it is the price of a whole validity that long (a rung of a ladder), judged by its
    first day; without, that of one service day, or under STATIC that of any validity. STATIC ignores
    ``when``. ``min_lead_days`` and ``min_sold`` are where a step of a STEPPED price begins; the other
    models ignore them.
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
    """How the day prices of a STEPPED variant move beyond its rules; the rungs of ladders stay as they are.

    They rise by ``step`` for every ``every`` places sold, and stay between ``floor`` and ``ceiling``.
    With ``ratchet`` the price of a service day never falls again as time passes and places are sold.
    """

    step: MinorUnits = 0
    every: int = 1
    floor: MinorUnits = 0
    ceiling: MinorUnits | None = None
    ratchet: bool = False


@dataclass(frozen=True, slots=True)
class Degression:
    """What the first, second … day of several counts, in parts per million; the last entry repeats.

    The sum is rounded once, half up, to a multiple of ``increment``.
    """

    factors: tuple[int, ...]
    increment: MinorUnits = 1


@dataclass(frozen=True, slots=True)
class CardReduction:
    """What holders of a discount card pay less, where no price of their own applies.

    The reduced price is rounded once, half up, to a multiple of ``increment``, and is never above the
    price it reduces.
    """

    discount_card: int
    parts_per_million: int
    _: KW_ONLY
    increment: MinorUnits = 1


def reduced(price: MinorUnits, parts_per_million: int, *, increment: MinorUnits) -> MinorUnits:
    """A *price* so many parts per million less: rounded once, half up, and never above it.

    >>> reduced(8005, 250_000, increment=50), reduced(8005, 100, increment=9000)
    (6000, 8005)
    """
    left = (MILLION - parts_per_million) * price
    return min(rdiv(left, MILLION * increment) * increment, price)
