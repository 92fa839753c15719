"""Faults of pools, of the pools that products use, and of booking rules."""

from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any

import pytest

from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern
from faregate.catalogue.entries import Entries
from faregate.catalogue.pools import Blocked, Counting, PoolSize, PoolUse, TimeSlot
from faregate.errors import Issue
from support.shops.refused_catalogues import ENTRIES, MOUNTAIN, VALLEY, WINTER, faults_of, said, with_ticket
from support.shops.small_shop import DAY_TICKET, LUNCH_VOUCHER, SHOP

DECEMBER, JANUARY = datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)


def with_pool(**changes: Any) -> Entries:
    return replace(ENTRIES, pools=(VALLEY, replace(MOUNTAIN, **changes)))


def with_uses(*uses: tuple[str, int]) -> Entries:
    variants = (DAY_TICKET.variants[0], replace(DAY_TICKET.variants[1], uses=uses))
    return with_ticket(pools=(PoolUse("mountain"),), variants=variants)


def with_rules(**rules: Any) -> Entries:
    return with_ticket(booking=BookingRules(**rules))


def slot(start: str, end: str) -> TimeSlot:
    return TimeSlot(time.fromisoformat(start), time.fromisoformat(end))


@pytest.mark.parametrize(
    "catalogue",
    [
        with_pool(sizes=(PoolSize(None), PoolSize(0))),
        with_pool(blocked=(Blocked(0), Blocked(1000))),
        with_ticket(pools=(PoolUse("mountain"), PoolUse("valley", Counting.NONE))),
        with_uses(("mountain", 0)),
    ],
)
def test_valid_pools_and_uses_have_no_issues(catalogue: Entries) -> None:
    assert faults_of(catalogue) == ()


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            with_ticket(pools=(PoolUse("mountain"), PoolUse("mountain", Counting.FIRST_DAY))),
            "products[0].pools[1].pool: 'mountain' is used twice",
        ),
        (
            with_uses(("mountain", 1), ("valley", 1)),
            "products[0].variants[1].uses.valley: the product has no pool 'valley'",
        ),
        (with_uses(("mountain", -1)), "products[0].variants[1].uses.mountain: expected at least 0, got -1"),
        (
            with_uses(("mountain", 1), ("mountain", 2)),
            "products[0].variants[1].uses.mountain: 'mountain' is used twice",
        ),
    ],
)
def test_invalid_uses_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [fault]


@pytest.mark.parametrize(
    "slots",
    [
        (slot("10:00", "11:00"), slot("11:00", "12:00")),
        (slot("22:00", "02:00"), slot("02:00", "22:00")),
        (slot("12:00", "12:00"),),
    ],
)
def test_adjacent_slots_have_no_issues(slots: tuple[TimeSlot, ...]) -> None:
    assert faults_of(with_pool(slots=slots)) == ()


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (slot("10:00", "12:00"), slot("11:00", "13:00")),
        (slot("10:00", "13:00"), slot("11:00", "12:00")),
        # Late slots end on the next day, which has the same slots again.
        (slot("22:00", "02:00"), slot("01:00", "03:00")),
        (slot("12:00", "12:00"), slot("11:00", "11:30")),
    ],
)
def test_overlapping_slots_are_reported(earlier: TimeSlot, later: TimeSlot) -> None:
    message = f"overlaps {earlier.start:%H:%M} to {earlier.end:%H:%M}"

    assert faults_of(with_pool(slots=(earlier, later))) == (Issue(("pools", 1, "slots", 1), message),)


def test_of_two_slots_that_end_together_the_one_that_starts_first_is_named() -> None:
    slots = slot("08:00", "10:00"), slot("08:30", "10:00"), slot("09:00", "09:30")

    assert [fault.message for fault in faults_of(with_pool(slots=slots))] == [
        "overlaps 08:00 to 10:00",
        "overlaps 08:00 to 10:00",
    ]


def test_an_overlap_with_a_slot_that_is_not_adjacent_is_reported() -> None:
    slots = slot("08:00", "14:00"), slot("15:00", "16:00"), slot("09:00", "10:00"), slot("13:00", "15:00")

    assert faults_of(with_pool(slots=slots)) == (
        Issue(("pools", 1, "slots", 2), "overlaps 08:00 to 14:00"),
        Issue(("pools", 1, "slots", 3), "overlaps 08:00 to 14:00"),
    )


@pytest.mark.slow
def test_many_slots_are_checked_quickly() -> None:
    slots = (slot("10:00", "12:00"),) * 20_000

    assert len(faults_of(with_pool(slots=slots))) == 19_999


@pytest.mark.parametrize(
    "catalogue",
    [
        with_rules(seasons=("winter",), closed=(DayPattern(),)),
        with_rules(stays=(StayRule(start_weekdays=frozenset({1, 7}), min_days=3, max_days=3),)),
        with_rules(sale_starts=DECEMBER, sale_ends=JANUARY),
        with_rules(cut_off=CutOff(time(17), days_before=1)),
        with_rules(cut_off=CutOff(minutes_before=15)),
    ],
)
def test_rules_that_can_be_met_have_no_issues(catalogue: Entries) -> None:
    assert faults_of(catalogue) == ()


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            with_rules(stays=(StayRule(), StayRule(start_weekdays=frozenset({1, 8})))),
            "stays[1].start_weekdays: expected 1 to 7, got 8",
        ),
        (with_rules(stays=(StayRule(min_days=0),)), "stays[0].min_days: expected at least 1, got 0"),
        (
            with_rules(stays=(StayRule(min_days=3, max_days=2),)),
            "stays[0].max_days: 2 is below the minimum 3",
        ),
        (with_rules(start_times=(time(9), time(10), time(9))), "start_times[2]: '09:00:00' is used twice"),
        (
            with_rules(sale_starts=DECEMBER, sale_ends=DECEMBER),
            "sale_ends: 2026-12-01T00:00:00+00:00 is not after 2026-12-01T00:00:00+00:00",
        ),
        (
            with_rules(sale_starts=DECEMBER.replace(tzinfo=None), sale_ends=JANUARY),
            "sale_starts: has no UTC offset",
        ),
        (with_rules(sale_ends=JANUARY.replace(tzinfo=None)), "sale_ends: has no UTC offset"),
        (with_rules(min_lead_days=-1), "min_lead_days: expected at least 0, got -1"),
        (with_rules(min_lead_days=5, max_lead_days=4), "max_lead_days: 4 is below the minimum 5"),
        (with_rules(cut_off=CutOff(time(17), -1)), "cut_off.days_before: expected at least 0, got -1"),
        (with_rules(cut_off=CutOff(days_before=1)), "cut_off.days_before: needs a time of day"),
        (
            with_rules(cut_off=CutOff(minutes_before=-1)),
            "cut_off.minutes_before: expected at least 0, got -1",
        ),
        (
            with_rules(cut_off=CutOff(time(17), minutes_before=15)),
            "cut_off.minutes_before: not allowed with a time of day",
        ),
    ],
)
def test_rules_that_nothing_can_meet_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [f"products[0].booking.{fault}"]


def test_every_issue_of_a_number_is_reported() -> None:
    faults = faults_of(with_rules(stays=(StayRule(min_days=0, max_days=-1),), max_lead_days=-1))

    assert [(fault.loc[-1], fault.message) for fault in faults] == [
        ("min_days", "expected at least 1, got 0"),
        ("max_days", "expected at least 1, got -1"),
        ("max_days", "-1 is below the minimum 0"),
        ("max_lead_days", "expected at least 0, got -1"),
        ("max_lead_days", "-1 is below the minimum 0"),
    ]


def with_lunch(**changes: Any) -> Entries:
    """Return the shop with a changed lunch, which has no validity."""
    products = (DAY_TICKET, replace(LUNCH_VOUCHER, **changes), *SHOP.products[2:])
    return replace(ENTRIES, products=products, calendar=Calendar(seasons=(WINTER,)), pools=(MOUNTAIN,))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seasons", ("winter",)),
        ("closed", (DayPattern(),)),
        ("stays", (StayRule(),)),
        ("start_times", (time(9),)),
        ("min_lead_days", 1),
        ("max_lead_days", 1),
        ("cut_off", CutOff()),
    ],
)
def test_booking_rules_about_days_need_a_validity(field: str, value: object) -> None:
    catalogue = with_lunch(booking=BookingRules(**{field: value}))  # type: ignore[arg-type]

    assert faults_of(catalogue) == (Issue(("products", 1, "booking", field), "the product has no validity"),)


def test_pools_need_a_validity() -> None:
    assert faults_of(with_lunch(pools=(PoolUse("mountain"),))) == (
        Issue(("products", 1, "pools"), "the product has no validity"),
    )


def test_products_without_a_validity_may_have_a_sale_period() -> None:
    catalogue = with_lunch(booking=BookingRules(sale_starts=DECEMBER, sale_ends=JANUARY))

    assert faults_of(catalogue) == ()
