"""Faults of days of use and blackout days: limits that cannot be met, and missing prices."""

from dataclasses import replace
from typing import Any

import pytest

from faregate.catalogue.booking_rules import BookingRules, DaysOfUse
from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.entries import Entries
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import ExternalId
from faregate.dates.durations import Duration
from support.shops.refused_catalogues import said, with_ticket
from support.shops.small_shop import DAY_TICKET, HALF_FARE

DAY, WEEK, MONTH = Duration(days=1), Duration(days=7), Duration(months=1)
FIVE = BookingRules(days_of_use=(DaysOfUse(WEEK, 5),))
MONDAYS = BookingRules(blackouts=(DayPattern(weekdays=frozenset({1})),))
GATE_IDS = tuple(
    ExternalId(system="gate", kind=kind, value="7") for kind in ("dta_product_id", "dta_consumer_category")
)
IN_RULES, IN_PRICES = "products[0].booking.days_of_use", "products[0].variants[0].prices"
APART = "make it a product of its own"


def week_ticket(
    *prices: PriceRule, booking: BookingRules = FIVE, gate_ids: tuple[ExternalId, ...] = (), **changes: Any
) -> Entries:
    adult = replace(
        DAY_TICKET.variants[0], prices=prices or (PriceRule(8000),), external_ids=gate_ids, access_tariffs=()
    )
    durations = changes.pop("durations", (DAY, WEEK, MONTH))
    return with_ticket(variants=(adult,), durations=durations, booking=booking, **changes)


CALENDAR: dict[str, Any] = {"price_model": PriceModel.CALENDAR}
RUNG = PriceRule(30000, WEEK)


@pytest.mark.parametrize(
    "catalogue",
    [
        week_ticket(),
        week_ticket(PriceRule(8000), RUNG, **CALENDAR),
        week_ticket(PriceRule(8000), replace(RUNG, duration=MONTH), durations=(DAY, MONTH), booking=MONDAYS),
        week_ticket(gate_ids=GATE_IDS, booking=BookingRules(days_of_use=(DaysOfUse(MONTH, 28),))),
        week_ticket(booking=MONDAYS, never_above_single_days=True),
    ],
)
def test_valid_days_of_use_have_no_issues(catalogue: Entries) -> None:
    assert said(catalogue) == []


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            week_ticket(durations=(DAY,)),
            f"{IN_RULES}[0].duration: the product has no duration P7D",
        ),
        (
            week_ticket(booking=BookingRules(days_of_use=(DaysOfUse(WEEK, 8),))),
            f"{IN_RULES}[0].days: expected 1 to 7, the days of P7D, got 8",
        ),
        (
            week_ticket(booking=BookingRules(days_of_use=(DaysOfUse(MONTH, 29),))),
            f"{IN_RULES}[0].days: expected 1 to 28, the days of P1M, got 29",
        ),
        (
            week_ticket(booking=BookingRules(days_of_use=FIVE.days_of_use * 2)),
            f"{IN_RULES}[1]: 'P7D' is used twice",
        ),
        (
            week_ticket(never_above_single_days=True),
            f"{IN_RULES}[0].duration: not allowed if days are never above single days: {APART}",
        ),
        (
            week_ticket(gate_ids=GATE_IDS),
            f"{IN_RULES}[0].duration: not allowed with ids of a gate, which may ask for any days: {APART}",
        ),
        (
            week_ticket(durations=(WEEK, Duration(days=6))),
            f"{IN_RULES}[0].days: P6D has more days of use: make P7D a product of its own",
        ),
        (
            week_ticket(PriceRule(8000), replace(RUNG, when=DayPattern(weekdays=frozenset({6}))), **CALENDAR),
            f"{IN_PRICES}: expected a price for P7D without other conditions",
        ),
        (
            week_ticket(PriceRule(8000), RUNG, PriceRule(6000, discount_card=HALF_FARE), **CALENDAR),
            f"{IN_PRICES}: expected a price for P7D for discount card 5 without other conditions",
        ),
        (
            week_ticket(PriceRule(8000), durations=(DAY, WEEK), booking=MONDAYS, **CALENDAR),
            f"{IN_PRICES}: expected a price for P7D without other conditions",
        ),
    ],
)
def test_days_of_use_that_cannot_be_met_or_priced_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [fault]
