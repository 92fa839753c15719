"""Checks of pools, of the pools that products use, and of booking rules."""

from collections.abc import Iterator
from datetime import time, timedelta

from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.catalogue.checks.parts import Parts, below, not_weekdays, repeated, repeated_in
from faregate.catalogue.pools import Pool, TimeSlot
from faregate.catalogue.products import Product
from faregate.dates.instants import in_utc
from faregate.errors import Issue, Loc

_DAY = timedelta(days=1)
_ANY_TIME = BookingRules()
_ABOUT_DAYS = (
    *("seasons", "closed", "blackouts", "days_of_use", "stays", "start_times"),
    *("min_lead_days", "max_lead_days", "cut_off"),
)


def booking_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for overlapping slots, uses of missing pools, and rules that no booking can meet."""
    for loc, pool in parts.of(Pool):
        yield from _odd_slots(loc, pool)
    for loc, product in parts.of(Product):
        yield from _odd_uses(loc, product)
        if not product.has_validity:
            yield from _days_without_validity(loc, product)
        yield from _odd_rules((*loc, "booking"), product.booking)


def _odd_slots(loc: Loc, pool: Pool) -> Iterator[Issue]:
    for n, earlier in sorted(_overlapping(pool.slots).items()):
        yield Issue((*loc, "slots", n), f"overlaps {_written(pool.slots[earlier])}")


def _overlapping(slots: tuple[TimeSlot, ...]) -> dict[int, int]:
    """Map the index of each slot that overlaps an earlier one in *slots* to the index of the earlier one.

    Two days are searched, since a slot can run past midnight.
    """
    found: dict[int, int] = {}
    by_start = sorted((*_bounds(slot), n) for n, slot in enumerate(slots))
    latest, occupied_until = -1, timedelta()
    for shift in (timedelta(), _DAY):
        for start, end, n in by_start:
            if start + shift < occupied_until:
                found.setdefault(max(n, latest), min(n, latest))
            if end + shift > occupied_until:
                latest, occupied_until = n, end + shift
    return found


def _bounds(slot: TimeSlot) -> tuple[timedelta, timedelta]:
    start, end = _since_midnight(slot.start), _since_midnight(slot.end)
    return start, end if end > start else end + _DAY


def _since_midnight(at: time) -> timedelta:
    return timedelta(hours=at.hour, minutes=at.minute, seconds=at.second, microseconds=at.microsecond)


def _written(slot: TimeSlot) -> str:
    return f"{slot.start.isoformat('minutes')} to {slot.end.isoformat('minutes')}"


def _odd_uses(loc: Loc, product: Product) -> Iterator[Issue]:
    yield from repeated_in((*loc, "pools"), product.pools, "pool")
    known = {use.pool for use in product.pools}
    for n, variant in enumerate(product.variants):
        inside = (*loc, "variants", n, "uses")
        yield from repeated(((*inside, pool), pool) for pool, _ in variant.uses)
        for pool, units in variant.uses:
            if pool not in known:
                yield Issue((*inside, pool), f"the product has no pool {pool!r}")
            if units < 0:
                yield Issue((*inside, pool), f"expected at least 0, got {units}")


def _days_without_validity(loc: Loc, product: Product) -> Iterator[Issue]:
    message = "the product has no validity"
    if product.pools:
        yield Issue((*loc, "pools"), message)
    for field in _ABOUT_DAYS:
        if getattr(product.booking, field) != getattr(_ANY_TIME, field):
            yield Issue((*loc, "booking", field), message)


def _odd_rules(loc: Loc, rules: BookingRules) -> Iterator[Issue]:
    for n, stay in enumerate(rules.stays):
        yield from _odd_stay((*loc, "stays", n), stay)
    yield from repeated(((*loc, "start_times", n), str(at)) for n, at in enumerate(rules.start_times))
    yield from _odd_sale(loc, rules)
    yield from below(0, loc, rules, "min_lead_days", "max_lead_days")
    if rules.max_lead_days is not None and rules.max_lead_days < rules.min_lead_days:
        yield Issue(
            (*loc, "max_lead_days"), f"{rules.max_lead_days} is below the minimum {rules.min_lead_days}"
        )
    if rules.cut_off is not None:
        yield from _odd_cut_off((*loc, "cut_off"), rules.cut_off)


def _odd_stay(loc: Loc, stay: StayRule) -> Iterator[Issue]:
    yield from not_weekdays((*loc, "start_weekdays"), stay.start_weekdays)
    yield from below(1, loc, stay, "min_days", "max_days")
    if stay.max_days is not None and stay.max_days < stay.min_days:
        yield Issue((*loc, "max_days"), f"{stay.max_days} is below the minimum {stay.min_days}")


def _odd_sale(loc: Loc, rules: BookingRules) -> Iterator[Issue]:
    named = {"sale_starts": rules.sale_starts, "sale_ends": rules.sale_ends}
    lacking = [field for field, instant in named.items() if instant is not None and instant.tzinfo is None]
    for field in lacking:
        yield Issue((*loc, field), "has no UTC offset")
    starts, ends = rules.sale_starts, rules.sale_ends
    if starts is not None and ends is not None and not lacking and in_utc(ends) <= in_utc(starts):
        yield Issue((*loc, "sale_ends"), f"{ends.isoformat()} is not after {starts.isoformat()}")


def _odd_cut_off(loc: Loc, cut_off: CutOff) -> Iterator[Issue]:
    yield from below(0, loc, cut_off, "days_before", "minutes_before")
    if cut_off.at is None and cut_off.days_before:
        yield Issue((*loc, "days_before"), "needs a time of day")
    if cut_off.at is not None and cut_off.minutes_before:
        yield Issue((*loc, "minutes_before"), "not allowed with a time of day")
