"""The contents of ``valley.yaml`` by hand: amounts in cents, rates in parts per million.

Of the library only the types of discounts are used; prices, days and time slots of each wish were calculated
by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    Conditions,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)

WEB = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"
COUNTER = "2b1f0a52-6d3e-4f0b-9a47-51c2e8d90b13"
PARTNERS = "c4a8e913-27f5-4d6a-b0c1-8e5d3f7a9264"

ZURICH = ZoneInfo("Europe/Zurich")
MORNING = datetime(2026, 12, 21, 7, 0, tzinfo=UTC)
"""A Monday, 08:00 in Zurich."""

NEVER = datetime.min.replace(tzinfo=UTC)
ALWAYS = datetime.max.replace(tzinfo=UTC)

Slot = tuple[str, str]
"""A pool and a day or time slot, or a code and its limit, as stored in the database."""


class Channel(NamedTuple):
    """A channel; a checkout expires ``minutes`` after a change, ``at_most`` minutes after it was opened."""

    uuid: str
    minutes: int = 30
    at_most: int = 120
    in_net: bool = False
    takes_vouchers: bool = True
    pays_on_site: bool = False
    vouchers_pay_donation: bool = False
    products: frozenset[int] = frozenset(range(1, 11))


CHANNELS = {
    WEB: Channel(WEB, pays_on_site=True),
    COUNTER: Channel(
        COUNTER, 10, 25, takes_vouchers=False, pays_on_site=True, products=frozenset({1, 2, 4, 5, 9})
    ),
    PARTNERS: Channel(PARTNERS, in_net=True, vouchers_pay_donation=True),
}


class Variant(NamedTuple):
    """A variant of a product, with its possible ``media`` and the price of its ``guarantee``."""

    product: int
    category: int
    rate: int
    media: frozenset[int] = frozenset()
    guarantee: int = 0
    is_fee: bool = False
    is_unique: bool = False
    needs_parent: bool = False


ADULT, FAMILY, CAR, SLEDGE, BOOK, SAVER, SEAT, BED = 10, 11, 20, 30, 40, 50, 60, 70
INSURANCE, POSTAGE, GUARANTEE, DEPOSIT, LOCKER = 80, 91, 92, 93, 100

VARIANTS = {
    ADULT: Variant(1, 1, 81_000, frozenset({1, 2, 3}), guarantee=445),
    FAMILY: Variant(1, 1, 81_000, frozenset({1, 2, 3}), guarantee=445),
    CAR: Variant(2, 2, 81_000),
    SLEDGE: Variant(3, 1, 81_000),
    BOOK: Variant(4, 2, 26_000),
    SAVER: Variant(5, 1, 81_000),
    SEAT: Variant(6, 2, 26_000, frozenset({1, 2})),
    BED: Variant(7, 1, 38_000),
    INSURANCE: Variant(8, 2, 0, needs_parent=True),
    POSTAGE: Variant(9, 2, 81_000, is_fee=True),
    GUARANTEE: Variant(9, 2, 26_000, is_fee=True),
    DEPOSIT: Variant(9, 2, 0, is_fee=True),
    LOCKER: Variant(10, 2, 81_000, is_unique=True),
}

MEDIA = {1: ((POSTAGE, 600),), 2: (), 3: ((POSTAGE, 155), (DEPOSIT, 500))}
SENT_MEDIA = {1, 3}


def size(slot: Slot) -> int:
    """Return the capacity of a slot, or the limit of a code."""
    pool, day = slot
    if pool == "mountain":
        return {"2026-12-27": 4, "2026-12-28": 1}.get(day, 10)
    return {"car-park": 3, "hut": 2, "run": 2, **ALLOWED}[pool]


class Wish(NamedTuple):
    """One unit at *price*, valid from *first* to *last*, using *units* of each slot, sold until *until*."""

    variant: int
    price: int = 0
    first: str = ""
    last: str = ""
    until: datetime = ALWAYS
    slots: tuple[Slot, ...] = ()
    units: int = 1
    fault: str = ""

    @property
    def is_of_days(self) -> bool:
        return len(self.first) == len("2026-12-27")

    @property
    def period(self) -> tuple[str, str] | None:
        """The start and end of the validity as the service writes them."""
        if not self.first or not self.is_of_days:
            return (self.first, self.last) if self.first else None
        following = date.fromisoformat(self.last) + timedelta(days=1)
        return beginning(date.fromisoformat(self.first)), beginning(following)

    def price_at(self, now: datetime, sold: Callable[[Slot], int]) -> int:
        """Return the list price; a saver ticket becomes dearer with time and sales."""
        if self.variant != SAVER:
            return self.price
        lead = date.fromisoformat(self.first) - now.astimezone(ZURICH).date()
        early, many = lead.days >= 14, sold(("mountain", self.first)) >= 2
        return {(False, False): 5000, (False, True): 5500, (True, False): 4000, (True, True): 4500}[
            early, many
        ]


def beginning(day: date) -> str:
    """Return the start of a day in Zurich."""
    return datetime(day.year, day.month, day.day, tzinfo=ZURICH).isoformat()


def cut_off(day: str) -> datetime:
    """Return 16:00 in Zurich, in winter."""
    return datetime.fromisoformat(f"{day}T16:00:00+01:00")


def midnight(day: str) -> datetime:
    """Return the end of a day in Zurich, in winter."""
    return datetime.fromisoformat(f"{day}T00:00:00+01:00") + timedelta(days=1)


def _day(variant: int, price: int, *days: str, units: int = 1) -> Wish:
    slots = tuple([("mountain", day) for day in days])
    return Wish(variant, price, days[0], days[-1], cut_off(days[0]), slots, units)


def _in_pool(variant: int, price: int, pool: str, first: str, last: str = "") -> Wish:
    return Wish(variant, price, first, last or first, midnight(first), ((pool, first),))


def _sledge(start: str, end: str, *slots: str) -> Wish:
    until = datetime.fromisoformat(start) if slots else NEVER
    return Wish(SLEDGE, 985, start, end, until, tuple([("run", slot) for slot in slots]))


_XMAS_EVE, _XMAS, _SAT, _SUN, _MON = [f"2026-12-{day}" for day in range(24, 29)]

WISHES = (
    _day(ADULT, 7000, _SUN),
    _in_pool(CAR, 1235, "car-park", _SUN),
    Wish(BOOK, 555),
    _sledge("2026-12-27T10:00:00+01:00", "2026-12-27T11:00:00+01:00", "2026-12-27T10:00"),
    # The hours before the clocks go forward, and before and after they go back.
    _sledge("2027-03-28T01:00:00+01:00", "2027-03-28T03:00:00+02:00", "2027-03-28T01:00"),
    _sledge("2027-10-31T02:00:00+02:00", "2027-10-31T02:00:00+01:00", "2027-10-31T02:00"),
    _day(FAMILY, 14950, _SUN, units=4),
    _day(FAMILY, 14950, _SAT, units=4),
    # 149.50 and 134.55, to the next half franc
    _day(FAMILY, 28400, _XMAS, _SAT, units=4),
    # 70 and 63; 70 and 54; 70, 63 and 48
    _day(ADULT, 13300, _SAT, _SUN),
    _day(ADULT, 12400, _SUN, _MON),
    _day(ADULT, 18100, _SAT, _SUN, _MON),
    _day(ADULT, 6000, "2026-12-21"),
    _in_pool(CAR, 1235, "car-park", _SAT),
    _in_pool(SAVER, 0, "mountain", _MON),
    _in_pool(SAVER, 0, "mountain", "2027-01-09"),
    Wish(SEAT, 215, _SUN, _SUN, midnight(_SUN)),
    _in_pool(BED, 8885, "hut", _SAT, _SUN),
    _in_pool(BED, 8885, "hut", _SUN, _MON),
    Wish(POSTAGE, 600),
    Wish(LOCKER, 1999),
    # Wishes that are refused: not sold alone, at that hour, on that day, with or without a validity, or at
    # all.
    Wish(INSURANCE, 495),
    _sledge("2027-10-31T02:00:00+01:00", "2027-10-31T03:00:00+01:00"),
    Wish(ADULT, 6000, _XMAS_EVE, _XMAS_EVE, NEVER),
    Wish(ADULT, 0, "2026-12-23", _XMAS, NEVER),
    Wish(ADULT, 0, "2027-04-30", "2027-05-01", NEVER),
    Wish(BOOK, 0, _SUN, _SUN, fault="validity-not-wanted"),
    Wish(ADULT, fault="validity-required"),
    Wish(999, fault="unknown-variant"),
)

SOLD = 21
"""The number of wishes, from the first, that can be granted."""

_LINE = DiscountLevel.LINE


def _least(spend: int = 0, quantity: int = 0, counting: Scope = EVERYTHING) -> Conditions:
    return Conditions(thresholds=(Threshold(spend, quantity, counting),))


_TICKETS = Scope(products=frozenset({1}))


AUTOMATIC = (
    AutomaticDiscount(
        id=1,
        kind=Percentage(parts_per_million=80_000, level=_LINE),
        scope=_TICKETS,
        conditions=_least(quantity=3, counting=_TICKETS),
    ),
    AutomaticDiscount(
        id=2,
        kind=Percentage(parts_per_million=125_000, level=_LINE),
        scope=Scope(discount_cards=frozenset({1})),
    ),
    AutomaticDiscount(id=3, kind=Absolute(111, _LINE), scope=Scope(products=frozenset({3})), priority=1),
)

PROMO_CODES = {
    code.code: code
    for code in (
        PromoCode(code="TEN", kind=Percentage(parts_per_million=100_000), max_amount=2000),
        PromoCode(code="ONCE", kind=Absolute(500), uses_left=1),
        PromoCode(
            code="HALF",
            kind=Percentage(parts_per_million=500_000),
            scope=Scope(categories=frozenset({1})),
            budget_left=6001,
        ),
        PromoCode(code="SOLO", kind=Percentage(parts_per_million=333_000), exclusive=True, uses_left=2),
        PromoCode(code="SPEND", kind=Absolute(2500), conditions=_least(10_000)),
        PromoCode(
            code="GROUP",
            kind=PerUnit(155),
            scope=Scope(products=frozenset({2, 4, 6})),
            conditions=_least(quantity=3, counting=Scope(categories=frozenset({2}))),
        ),
        PromoCode(
            code="FLAT", kind=FixedPrice(5432), scope=Scope(variants=frozenset({ADULT, SAVER})), priority=5
        ),
        PromoCode(
            code="DAWN",
            kind=Absolute(101),
            conditions=Conditions(ends_at=datetime(2026, 12, 21, 7, 45, tzinfo=UTC)),
        ),
        PromoCode(
            code="NOON",
            kind=Percentage(parts_per_million=150_000, level=_LINE),
            conditions=Conditions(
                starts_at=datetime(2026, 12, 21, 8, 0, tzinfo=UTC),
                ends_at=datetime(2026, 12, 21, 12, 0, tzinfo=UTC),
            ),
        ),
        PromoCode(
            code="WEBONLY",
            kind=Absolute(333, _LINE),
            conditions=Conditions(channels=frozenset({WEB})),
            lane=1,
        ),
        PromoCode(
            code="TRIPLE",
            kind=Percentage(parts_per_million=200_000),
            conditions=_least(quantity=4),
            exclusive=True,
            priority=2,
        ),
    )
}
"""The promo codes before any use."""


class Voucher(NamedTuple):
    """A stored value."""

    balance: int
    expires: datetime = ALWAYS


VOUCHERS = {
    "GIFT": Voucher(5000),
    "RICH": Voucher(30_000),
    "SOON": Voucher(2005, datetime(2026, 12, 21, 9, 0, tzinfo=UTC)),
    "LATER": Voucher(3000, datetime(2027, 12, 30, 23, 0, tzinfo=UTC)),
    "EMPTY": Voucher(0),
}

CODES = (*PROMO_CODES, *VOUCHERS, "NOPE")

_WHEN = [code.conditions for code in PROMO_CODES.values()]

TURNS = (
    *[when.starts_at for when in _WHEN if when.starts_at],
    *[when.ends_at for when in _WHEN if when.ends_at],
    VOUCHERS["SOON"].expires,
    cut_off("2026-12-21"),
)
"""Instants at which something begins or ends by the clock alone."""


def allowed(code: str) -> dict[Slot, int]:
    """Return the limits of a code."""
    if code in VOUCHERS:
        return {(code, "balance"): VOUCHERS[code].balance}
    promo_code = PROMO_CODES[code]
    limits = {(code, "uses"): promo_code.uses_left, (code, "budget"): promo_code.budget_left}
    return {slot: limit for slot, limit in limits.items() if limit is not None}


ALLOWED = {code: limit for name in (*PROMO_CODES, *VOUCHERS) for (code, _), limit in allowed(name).items()}
