"""The model's checkouts and their changes. Decisions §11, implemented naively.

A change modifies a draft; if it raises, the checkout is unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from support.model.naive_prices import Bill, Entry, Json, bill_of
from support.model.tables import (
    CHANNELS,
    GUARANTEE,
    MEDIA,
    PROMO_CODES,
    SENT_MEDIA,
    VARIANTS,
    VOUCHERS,
    Channel,
    Slot,
    Wish,
)

FIRST_COPY = 2**31

Component = tuple[str, int, int]
"""A component of a medium or the guarantee: its source, its number and its part."""


class Refused(Exception):
    """A request that is answered with a problem."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code


def refuse(status: int, faults: Iterable[str], otherwise: str) -> None:
    """Raise Refused if there are *faults*, with their code if all have the same one."""
    kinds = set(faults)
    named = kinds - {"invalid"}
    if kinds:
        raise Refused(status, named.pop() if len(named) == 1 else otherwise)


class Asked(NamedTuple):
    """A requested item."""

    id: int
    wish: Wish
    parent: int | None = None
    card: int | None = None


class Item(NamedTuple):
    """An item of a checkout: with a price, as a copy or as a component of its parent."""

    asked: Asked
    price: int
    original: int
    component: Component | None = None


class Moment(NamedTuple):
    """An instant, and the units sold of each slot at that instant."""

    now: datetime
    sold: Callable[[Slot], int]


@dataclass
class Basket:
    """A checkout."""

    url: str
    channel: Channel
    started: datetime
    changed: datetime
    expires: datetime
    revision: int = 0
    account: int | None = None
    items: dict[int, Item] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    values: Json = field(default_factory=dict)
    media: dict[int, int] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    next_id: int = FIRST_COPY
    spent: Counter[Slot] = field(default_factory=Counter)
    claims: dict[Slot, int] = field(default_factory=dict)
    is_paying: bool = False
    is_closed: bool = False
    total: int = 0
    """The total at which it was sold."""

    def draft(self) -> Basket:
        """Return a copy for a change."""
        draft = copy(self)
        for name in ("items", "codes", "values", "media", "removed"):
            setattr(draft, name, copy(getattr(self, name)))
        return draft

    def is_as(self, other: Basket) -> bool:
        """Return whether all inputs of the customer are equal."""
        names = ("account", "items", "codes", "values", "media")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def status(self, now: datetime) -> str:
        if self.is_closed:
            return "CLOSED"
        return "EXPIRED" if now >= self.expires else "OPEN"

    def save(self, now: datetime) -> None:
        """Advance the revision and restart the expiry."""
        self.revision += 1
        self.changed = now
        longest = self.started + timedelta(minutes=self.channel.at_most)
        self.expires = min(now + timedelta(minutes=self.channel.minutes), longest)
        self.is_paying = False
        self.claims = {}

    @property
    def donation(self) -> int:
        return self.values.get("donation") or 0

    @property
    def is_sent(self) -> bool:
        """Return whether an item is sent by post."""
        return not SENT_MEDIA.isdisjoint(self.media.values())

    def bill(self) -> Bill:
        """Return the bill at the last change."""
        entries = [
            Entry(item_id, asked.wish.variant, asked.wish.period, asked.card, item.price)
            for item_id, item in self.items.items()
            for asked in [item.asked]
        ]
        options: Json = {"at": self.changed, "channel": self.channel, "spent": self.spent}
        return bill_of(entries, self.codes, self.donation, **options)

    def places(self) -> Counter[Slot]:
        """Return the units that the items need in each slot."""
        places: Counter[Slot] = Counter()
        for item in self.items.values():
            for slot in item.asked.wish.slots:
                places[slot] += item.asked.wish.units
        return places

    def family(self, ids: Iterable[int]) -> set[int]:
        """Return *ids* with all their descendants."""
        family = set(ids)
        while True:
            grown = family | {key for key, item in self.items.items() if item.asked.parent in family}
            if grown == family:
                return family
            family = grown


def add(draft: Basket, asked: list[Asked], moment: Moment) -> None:
    """Add new items to the basket; identical items that exist stay."""
    there = draft.items
    other = [entry for entry in asked if entry.id not in there or there[entry.id].asked != entry]
    new = [entry for entry in other if entry.id not in there]
    ids = {*there, *(entry.id for entry in new)}
    refuse(422, [*_unsold(other, draft, moment), *_unhung(new, draft, ids)], "invalid-checkout")
    conflicts = ["id-taken" for entry in other if entry.id in there]
    conflicts += ["id-used" for entry in new if entry.id in draft.removed]
    conflicts += _second_ones(draft, [entry.wish.variant for entry in new])
    refuse(409, conflicts, "checkout-conflict")
    for entry in parents_first(new):
        price = entry.wish.price_at(moment.now, moment.sold)
        draft.items[entry.id] = Item(entry, price, entry.id)
    if new:
        keep_components(draft)


def _unsold(entries: Iterable[Asked], draft: Basket, moment: Moment) -> Iterator[str]:
    """Yield the issues of items that cannot be sold now or on this channel."""
    for entry in entries:
        wish = entry.wish
        variant = VARIANTS.get(wish.variant)
        faults = [wish.fault] if wish.fault else []
        if variant and variant.product not in draft.channel.products:
            faults.append("not-sold-here")
        if variant and variant.needs_parent and entry.parent is None:
            faults.append("needs-parent")
        if entry.card not in {None, 1}:
            faults.append("unknown-discount-card")
        if not faults and moment.now >= wish.until:
            faults.append("not-bookable")
        yield from faults


def _unhung(new: Iterable[Asked], draft: Basket, ids: set[int]) -> Iterator[str]:
    """Yield the missing parents and those that cannot have children."""
    for entry in new:
        if entry.parent is not None and entry.parent not in ids:
            yield "unknown-item"
        if entry.parent in draft.items and draft.items[entry.parent].component:
            yield "invalid"


def _second_ones(draft: Basket, variants: Iterable[int]) -> list[str]:
    """Return conflicts about products sold once per checkout."""
    seen = {item.asked.wish.variant for item in draft.items.values()}
    conflicts = []
    for variant in variants:
        if variant in seen and VARIANTS[variant].is_unique:
            conflicts.append("unique-item")
        seen.add(variant)
    return conflicts


def parents_first(entries: list[Asked]) -> list[Asked]:
    """Return the entries in order, but each after its parent."""
    placed: list[Asked] = []
    ids = {entry.id for entry in entries}

    def place(entry: Asked, waiting: list[Asked]) -> None:
        placed.append(entry)
        for other in waiting:
            if other.parent == entry.id:
                place(other, waiting)

    for n, entry in enumerate(entries):
        waits = entry.parent in ids and entry.parent not in {other.id for other in placed}
        if entry not in placed and not waits:
            place(entry, [other for other in entries[:n] if other not in placed])
    return placed


def remove(draft: Basket, ids: list[int]) -> None:
    """Remove items with their descendants."""
    if set(ids) - draft.items.keys():
        raise Refused(404, "unknown-item")
    gone = draft.family(ids)
    stuck = [
        "not-deletable"
        for item_id in ids
        if draft.items[item_id].asked.parent not in gone and not is_deletable(draft.items[item_id])
    ]
    refuse(409, stuck, "checkout-conflict")
    _take_out(draft, gone)


def is_deletable(item: Item) -> bool:
    return item.component is None and not VARIANTS[item.asked.wish.variant].is_fee


def _take_out(draft: Basket, gone: set[int]) -> None:
    for item_id in gone:
        del draft.items[item_id]
        draft.media.pop(item_id, None)
    draft.removed |= {item_id for item_id in gone if item_id < FIRST_COPY}


def change_quantity(draft: Basket, item_id: int, delta: int, moment: Moment) -> None:
    """Add copies or remove the newest ones."""
    if item_id not in draft.items:
        raise Refused(404, "unknown-item")
    item = draft.items[item_id]
    group = sorted(key for key, other in draft.items.items() if _is_copy(other, item))
    if delta == 0:
        raise Refused(422, "invalid-delta")
    if item.component:
        raise Refused(409, "not-deletable")
    if delta > 0:
        _copy(draft, item_id, delta, moment)
        return
    if -delta > len(group):
        raise Refused(422, "invalid-delta")
    if not is_deletable(item):
        raise Refused(409, "not-deletable")
    _take_out(draft, draft.family(group[delta:]))


def _is_copy(item: Item, other: Item) -> bool:
    return not item.component and item.original == other.original


def _copy(draft: Basket, item_id: int, number: int, moment: Moment) -> None:
    item = draft.items[item_id]
    wish = item.asked.wish
    refuse(422, _unsold([item.asked], draft, moment), "invalid-checkout")
    refuse(409, _second_ones(draft, [wish.variant] * number), "checkout-conflict")
    for copy_id in range(draft.next_id, draft.next_id + number):
        price = wish.price_at(moment.now, moment.sold)
        draft.items[copy_id] = Item(item.asked._replace(id=copy_id), price, item.original)
        if item_id in draft.media:
            draft.media[copy_id] = draft.media[item_id]
    draft.next_id += number
    keep_components(draft)


def answer(draft: Basket, patch: Json) -> None:
    """Merge answers; null removes an answer."""
    if (patch.get("donation") or 0) < 0:
        raise Refused(422, "invalid-checkout")
    media = patch.get("media", {})
    values = draft.values | {name: value for name, value in patch.items() if name != "media"}
    draft.values = {name: value for name, value in values.items() if value is not None}
    chosen = {**draft.media, **{int(item_id): medium for item_id, medium in media.items()}}
    chosen = {item_id: medium for item_id, medium in chosen.items() if medium is not None}
    refuse(422, _wrong_media(draft, chosen), "invalid-checkout")
    draft.media = chosen
    keep_components(draft)


def _wrong_media(draft: Basket, chosen: dict[int, int]) -> Iterator[str]:
    for item_id, medium in chosen.items():
        item = draft.items.get(item_id)
        if item is None or item.component:
            yield "unknown-item"
        elif medium not in VARIANTS[item.asked.wish.variant].media:
            yield "unknown-medium"


def keep_components(draft: Basket) -> None:
    """Keep exactly the fees for the chosen media and guarantee; existing ones keep their ids."""
    wanted: dict[tuple[int | None, Component | None], tuple[int, int]] = {}
    for item_id, item in draft.items.items():
        if item.component:
            continue
        medium = draft.media.get(item_id, 0)
        for n, fee in enumerate(MEDIA.get(medium, ())):
            wanted[item_id, ("medium", medium, n)] = fee
        guarantee = VARIANTS[item.asked.wish.variant].guarantee
        if guarantee and draft.values.get("weatherGuarantee"):
            wanted[item_id, ("guarantee", 0, 0)] = GUARANTEE, guarantee
    there = {(item.asked.parent, item.component) for item in draft.items.values() if item.component}
    draft.items = {
        item_id: item
        for item_id, item in draft.items.items()
        if not item.component or (item.asked.parent, item.component) in wanted
    }
    for (parent, component), (variant, price) in wanted.items():
        if (parent, component) not in there:
            asked = Asked(draft.next_id, Wish(variant, price), parent)
            draft.items[draft.next_id] = Item(asked, price, draft.next_id, component)
            draft.next_id += 1


def enter(draft: Basket, text: str) -> None:
    """Enter a promo code or a voucher."""
    code = text.strip().upper()
    if code in draft.codes:
        return
    if code not in {*PROMO_CODES, *VOUCHERS}:
        raise Refused(422, "unknown-code")
    if code in VOUCHERS and not draft.channel.takes_vouchers:
        raise Refused(422, "unknown-code")
    if code in PROMO_CODES:
        channels = PROMO_CODES[code].conditions.channels
        if channels and draft.channel.uuid not in channels:
            raise Refused(422, "unknown-code")
    draft.codes.append(code)


def drop(draft: Basket, text: str) -> None:
    """Remove a code."""
    code = text.strip().upper()
    if code not in draft.codes:
        raise Refused(404, "unknown-code")
    draft.codes.remove(code)


def new_basket(url: str, channel: str, now: datetime) -> Basket:
    """Return a new, unsaved checkout."""
    return Basket(url, CHANNELS[channel], now, now, now)


Change = Callable[[Basket, Moment], Any]
