"""Days and times of day by the time zones of the order and of the visit. Decisions §3.5, §3.7."""

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from core.discounts.test_eligibility import DECEMBER, SATURDAY, SUNDAY, keys_in
from faregate.basket.lines import Line
from faregate.dates.instants import DateRange, Interval
from faregate.dates.times_of_day import TimeOfDay
from faregate.dates.zones import AnyZone
from faregate.discounts.eligibility import Context, Refusal, RejectionReason, not_now
from faregate.discounts.kinds import Conditions, Scope
from faregate.errors import ContextRequired, InvalidLines, InvalidPeriod
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import NOW, UNTAXED, ZURICH

LATE = datetime(2026, 12, 25, 23, 30, tzinfo=UTC)  # a Friday; in Berlin the Saturday has begun


def visit(start: datetime, zone: AnyZone | None = None) -> list[Line]:
    return [Line(1, 2800, 1, UNTAXED, validity=Interval(start, start + timedelta(hours=4)), zone=zone)]


@pytest.mark.parametrize("hours", [0, 1, -11, 14])
@pytest.mark.parametrize(
    ("zone", "visited_in", "weekday"),
    [
        ("Europe/Berlin", None, SATURDAY),
        ("America/New_York", "Europe/Berlin", SATURDAY),
        (None, "Europe/Berlin", SATURDAY),
    ],
)
def test_equal_visits_fall_on_one_day_in_any_offset(
    zone: AnyZone | None, visited_in: str | None, weekday: int, hours: int
) -> None:
    basket = visit(LATE.astimezone(timezone(timedelta(hours=hours))), visited_in)

    found = [d for d in range(1, 8) if keys_in(Scope(weekdays=frozenset({d})), basket=basket, zone=zone)]

    assert found == [weekday]


@pytest.mark.parametrize("hours", [0, 9])
@pytest.mark.parametrize(
    ("at", "zone", "visited", "lead"),
    [
        # Apia skipped 30 December 2011.
        ("2011-12-30T09:59:59+00:00", "Pacific/Apia", "2011-12-30T10:00:00+00:00", 2),
        # In Kiritimati a day begins 14 hours before it begins in UTC.
        ("2026-12-25T09:59:00+00:00", "Pacific/Kiritimati", "2026-12-25T10:00:00+00:00", 1),
        ("2026-03-28T23:00:00+00:00", "Europe/Zurich", "2026-03-29T22:00:00+00:00", 1),
    ],
)
def test_lead_days_are_counted_in_the_zone(at: str, zone: str, visited: str, lead: int, hours: int) -> None:
    other = timezone(timedelta(hours=hours))
    ordered, basket = datetime.fromisoformat(at), visit(datetime.fromisoformat(visited).astimezone(other))

    scope = Scope(min_lead_days=lead, max_lead_days=lead)

    assert keys_in(scope, at=ordered.astimezone(other), basket=basket, zone=zone) == {1}


@pytest.mark.parametrize(
    ("scope", "rule"),
    [
        (Scope(weekdays=frozenset({SUNDAY})), "a scope with weekdays"),
        (Scope(days=DateRange(date(2026, 12, 27), date(2026, 12, 28))), "a scope with days"),
        (Scope(max_lead_days=3), "a scope with lead days"),
    ],
)
def test_a_rule_that_needs_a_day_needs_a_zone(scope: Scope, rule: str) -> None:
    with pytest.raises(ContextRequired) as raised:
        keys_in(scope, zone=None)

    message = f"{rule} needs the time zone in the context: add Context(zone='Europe/Zurich')"
    assert str(raised.value) == message


def test_other_rules_need_no_zone() -> None:
    assert keys_in(Scope(products=frozenset({11})), zone=None) == {1, 2}
    assert not_now(DECEMBER, Context(at=NOW)) is None


def test_an_invalid_day_or_zone_is_refused_even_if_no_rule_needs_it() -> None:
    (line,) = visit(LATE)
    naive = visit(LATE.replace(tzinfo=None))[0]

    with pytest.raises(
        InvalidLines, match=r"^line 1: validity contains 2026-12-25T23:30:00, which has no UTC offset$"
    ):
        checkout_totals([naive])
    with pytest.raises(
        InvalidLines, match=r"^line 1: zone is an unknown time zone 'Europe/Zurih', expected a name such"
    ):
        checkout_totals([line._replace(zone="Europe/Zurih")])
    with pytest.raises(InvalidPeriod, match="has no UTC offset"):
        checkout_totals([line], context=Context(at=LATE.replace(tzinfo=None)))


EVENINGS = Conditions(time_of_day=TimeOfDay(time(17), time(19)))


@pytest.mark.parametrize(
    ("at", "zone", "reason"),
    [
        ("2026-12-27T17:00:00+01:00", "Europe/Zurich", None),
        ("2026-12-27T16:00:00+00:00", "Europe/Zurich", None),
        ("2026-12-27T17:00:00+01:00", "UTC", RejectionReason.WRONG_TIME),
        ("2026-12-27T19:00:00+01:00", "Europe/Zurich", RejectionReason.WRONG_TIME),
    ],
)
def test_clocks_in_the_zone_of_the_order_decide_its_time_of_day(
    at: str, zone: str, reason: RejectionReason | None
) -> None:
    context = Context(at=datetime.fromisoformat(at), zone=zone)

    assert not_now(EVENINGS, context) == (None if reason is None else Refusal(reason))


@pytest.mark.parametrize(
    ("context", "message"),
    [
        (Context(zone=ZURICH), "a discount limited in time needs the instant"),
        (Context(at=NOW), "a discount limited to a time of day needs the time zone"),
    ],
)
def test_a_time_of_day_needs_an_instant_and_a_zone(context: Context, message: str) -> None:
    with pytest.raises(ContextRequired, match=message):
        not_now(EVENINGS, context)
