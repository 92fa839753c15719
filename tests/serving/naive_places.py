"""Who has which places of the resort of ``tests/http/piste.yaml``, told by a few lines over a dictionary.

Nothing of the library is used: which days and time slots a wish takes places of is written down by hand.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from serving.piste import ADULT, BOOK, CAR, EARLY, FAMILY, SEAT, SLEDGE, ticket
from serving.service import Json, item

Slot = tuple[str, str]
"""A pool, and a day or a time of a day, as the database writes it."""

FIRST_COPY = 2**31
LIFETIME = timedelta(minutes=30)
LONGEST_LIFE = timedelta(hours=2)

NEVER = datetime.min.replace(tzinfo=UTC)
ALWAYS = datetime.max.replace(tzinfo=UTC)


def size(slot: Slot) -> int:
    """How many places there are."""
    pool, day = slot
    if pool == "mountain":
        return {"2026-12-27": 4, "2026-12-28": 1}.get(day, 10)
    return {"car-park": 3, "run": 2}[pool]


class Wish(NamedTuple):
    """One unit, from *first* to *last*: it takes *units* places of each slot, and is sold *until* then."""

    variant: int
    first: str
    last: str
    until: datetime
    slots: tuple[Slot, ...] = ()
    units: int = 1

    def request(self, item_id: int) -> Json:
        """As it is asked for."""
        if not self.first:
            return item(item_id, self.variant)
        return ticket(item_id, self.variant, self.first, self.last)


def cut_off(day: str) -> datetime:
    """Four in the afternoon in Zurich, in winter."""
    return datetime.fromisoformat(f"{day}T16:00:00+01:00")


def midnight(day: str) -> datetime:
    """The end of a day in Zurich, in winter."""
    return datetime.fromisoformat(f"{day}T00:00:00+01:00") + timedelta(days=1)


def _mountain(variant: int, *days: str, units: int = 1, until: datetime | None = None) -> Wish:
    slots = tuple([("mountain", day) for day in days])
    return Wish(variant, days[0], days[-1], until or cut_off(days[0]), slots, units)


def _car(day: str) -> Wish:
    return Wish(CAR, day, day, midnight(day), (("car-park", day),))


def _sledge(start: str, end: str, slot: str) -> Wish:
    return Wish(SLEDGE, start, end, datetime.fromisoformat(start), (("run", slot),))


_XMAS_EVE, _XMAS, _SAT, _SUN, _MON = [f"2026-12-{day}" for day in range(24, 29)]

WISHES = (
    _mountain(ADULT, _SUN),
    _car(_SUN),
    # The hours before the clocks go forward, and before and after they go back.
    _sledge("2027-03-28T01:00:00+01:00", "2027-03-28T03:00:00+02:00", "2027-03-28T01:00"),
    _sledge("2027-10-31T02:00:00+02:00", "2027-10-31T02:00:00+01:00", "2027-10-31T02:00"),
    Wish(SLEDGE, "2027-10-31T02:00:00+01:00", "2027-10-31T03:00:00+01:00", NEVER),
    _sledge("2026-12-27T10:00:00+01:00", "2026-12-27T11:00:00+01:00", "2026-12-27T10:00"),
    _mountain(FAMILY, _SUN, units=4),
    _mountain(FAMILY, _SAT, units=4),
    _mountain(FAMILY, _XMAS, _SAT, units=4),
    _mountain(ADULT, _SAT, _SUN),
    _mountain(ADULT, _SUN, _MON),
    _mountain(ADULT, _SAT, _SUN, _MON),
    _mountain(EARLY, _MON, until=midnight(_MON)),
    _mountain(ADULT, "2026-12-21"),
    _car(_SAT),
    Wish(SEAT, _SUN, _SUN, midnight(_SUN)),
    Wish(BOOK, "", "", ALWAYS),
    Wish(ADULT, _XMAS_EVE, _XMAS_EVE, NEVER),
    Wish(ADULT, "2026-12-23", _XMAS, NEVER),
    Wish(ADULT, "2027-04-30", "2027-05-01", NEVER),
)


class Unit(NamedTuple):
    """What is in a checkout: a wish, and the item it is or is a copy of."""

    wish: Wish
    group: int


@dataclass
class Basket:
    """A checkout as its customer remembers it."""

    started: datetime
    expires: datetime
    items: dict[int, Unit] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    next_copy: int = FIRST_COPY
    donation: int | None = None

    def group(self, item_id: int) -> list[int]:
        """The item and its copies, the newest last."""
        original = self.items[item_id].group
        return sorted(other for other, unit in self.items.items() if unit.group == original)


def wanted(units: Iterable[Unit]) -> Counter[Slot]:
    """The places that all take together."""
    places: Counter[Slot] = Counter()
    for unit in units:
        for slot in unit.wish.slots:
            places[slot] += unit.wish.units
    return places


class Taken(NamedTuple):
    """Places that one checkout has until it *expires*."""

    url: str
    units: int
    expires: datetime


class NaivePlaces:
    """All places that are taken."""

    def __init__(self) -> None:
        self.taken: dict[Slot, list[Taken]] = {}

    def give(self, url: str, basket: Basket) -> None:
        """Make what *basket* wants what it has, until it expires."""
        for slot, entries in self.taken.items():
            self.taken[slot] = [entry for entry in entries if entry.url != url]
        for slot, units in wanted(basket.items.values()).items():
            self.taken.setdefault(slot, []).append(Taken(url, units, basket.expires))

    def held(self, slot: Slot, now: datetime, *, without: str | None = None) -> int:
        """How many are taken, those of the checkout *without* left out."""
        entries = self.taken.get(slot, [])
        return sum(entry.units for entry in entries if entry.expires > now and entry.url != without)

    def free(self, slot: Slot, now: datetime, *, without: str | None = None) -> int:
        """How many are left."""
        return size(slot) - self.held(slot, now, without=without)

    def lacks(self, url: str, before: Iterable[Unit], after: Iterable[Unit], now: datetime) -> bool:
        """Whether a checkout that takes more somewhere finds too few places there."""
        had, asked = wanted(before), wanted(after)
        return any(
            units > had[slot] and units > self.free(slot, now, without=url) for slot, units in asked.items()
        )


def slots_of(option: Json, pool: str) -> list[Slot]:
    """The places that a validity takes which the service names: by its days, or by its hour."""
    start, end = option["value"]["from"], option["value"]["to"]
    if pool == "run":
        return [(pool, start[:16])]
    first, last = datetime.fromisoformat(start[:10]), datetime.fromisoformat(end[:10])
    return [(pool, f"{first + timedelta(days=n):%Y-%m-%d}") for n in range((last - first).days)]


def sold_until(option: Json, pool: str) -> datetime:
    """From when on a validity is sold no longer."""
    start: str = option["value"]["from"]
    if pool == "run":
        return datetime.fromisoformat(start)
    return cut_off(start[:10]) if pool == "mountain" else midnight(start[:10])
