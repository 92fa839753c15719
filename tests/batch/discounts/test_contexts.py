"""Contexts of conditions in columns: a value for each basket or for all, and the merchant's time zone."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import NONE
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.totals.pipeline import checkout_totals
from faregate.dates.instants import DateRange
from faregate.dates.zones import local_date
from faregate.discounts.eligibility import Context, RejectionReason
from support.columns.lines import columns, days, in_a_bucket, instants, ints, when, where

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday

LATER = NOON + timedelta(microseconds=1)
ONE_CONTEXT = Context(at=NOON, channel="WEB", account=7, zone=UTC)


NO_CHANNEL, NO_ACCOUNT = RejectionReason.WRONG_CHANNEL, RejectionReason.WRONG_ACCOUNT
NO_GROUP, NO_DAY = RejectionReason.WRONG_GROUP, RejectionReason.WRONG_DAY
EARLY, LATE = RejectionReason.NOT_YET_VALID, RejectionReason.EXPIRED
AROUND_NOON = instants("2026-03-04T11:59:59.999999", "2026-03-04T12", "2027-01-01")
MEMBERS = {"member": np.array([True, False, False]), "staff": False, "press": True}
THREE_DAYS = instants("2026-03-04", "2026-03-04", "2026-03-07T23")
WEB, WEDNESDAYS = frozenset({"WEB"}), frozenset({3})


@pytest.mark.parametrize(
    ("conditions", "context", "reasons"),
    [
        ({"channels": WEB | {"POS"}}, {"channel": np.array(["WEB", "APP", "POS"])}, [None, NO_CHANNEL, None]),
        ({"channels": WEB}, {"channel": "APP"}, [NO_CHANNEL] * 3),
        ({"accounts": frozenset({7, 8})}, {"account": ints(7, NONE, 9)}, [None, NO_ACCOUNT, NO_ACCOUNT]),
        ({"accounts": frozenset({7, 2**70})}, {"account": 7}, [None] * 3),
        (
            {"customer_groups": frozenset({"member", "staff"})},
            {"customer_groups": MEMBERS},
            [None, NO_GROUP, NO_GROUP],
        ),
        ({"customer_groups": frozenset({"staff"})}, {}, [NO_GROUP] * 3),
        ({"starts_at": NOON}, {"at": AROUND_NOON}, [EARLY, None, None]),
        ({"ends_at": NOON}, {"at": AROUND_NOON}, [None, LATE, LATE]),
        (
            {"weekdays": WEDNESDAYS | {7}},
            {"at": THREE_DAYS, "ordered_on": days("2026-03-04", "2026-03-03", "2026-03-08")},
            [None, NO_DAY, None],
        ),
        (
            {"weekdays": WEDNESDAYS},
            {"at": instants("1969-12-31")[0], "ordered_on": days("1969-12-31")[0]},
            [None] * 3,
        ),
        ({"weekdays": WEDNESDAYS}, {"at": THREE_DAYS[0], "ordered_on": date(2026, 3, 3)}, [NO_DAY] * 3),
        ({"weekdays": WEDNESDAYS}, {"at": THREE_DAYS[[0] * 3], "ordered_on": date(2026, 3, 4)}, [None] * 3),
        (
            {"channels": WEB, "accounts": frozenset({7})},
            {"channel": np.str_("WEB"), "account": np.int32(7)},
            [None] * 3,
        ),
    ],
)
@pytest.mark.parametrize("is_matrix", [False, True])
def test_each_basket_uses_its_own_context(
    conditions: dict[str, Any], context: dict[str, Any], reasons: list[Any], is_matrix: bool
) -> None:
    lines = in_a_bucket(columns(1, 1, 1)) if is_matrix else columns(1, 1, 1)

    totals = checkout_totals(lines, promo_codes=[when(**conditions)], context=ContextColumns(**context))

    assert [totals.promo_codes.reason(entry) for entry in range(3)] == reasons
    assert totals.promo_code_discount.tolist() == [100 if reason is None else 0 for reason in reasons]


def test_one_context_survives_the_round_trip() -> None:
    found = ContextColumns.of(ONE_CONTEXT).context(1)

    assert found == ONE_CONTEXT
    assert ContextColumns.of(Context()).context(0) == Context()


def test_context_of_one_basket_is_its_row() -> None:
    both = ContextColumns(
        at=instants("2026-03-04T12", "2026-03-05T12"),
        ordered_on=days("2026-03-04", "2026-03-05"),
        channel=np.array(["WEB", "POS"]),
        account=ints(NONE, 7),
        customer_groups={"member": np.array([False, True]), "staff": False},
    )

    assert both.context(0) == Context(at=NOON, channel="WEB", account=None, zone=UTC)
    assert both.context(1) == Context(
        at=NOON + timedelta(days=1),
        channel="POS",
        account=7,
        zone=UTC,
        customer_groups=frozenset({"member"}),
    )


def test_baskets_priced_by_the_scalar_keep_their_context() -> None:
    lines = columns(*[1] * 12)
    asked = CodeColumns(offsets=np.cumsum([0, *[0] * 5, 1, *[0] * 4, 1, 0]), codes=ints(0, 0))
    context = ContextColumns(
        at=np.arange(12) * np.timedelta64(1, "D") + instants("2026-02-20"),
        ordered_on=np.arange(12) + days("2026-02-20"),
        channel=np.array(["WEB"] * 12),
        account=ints(*range(12)),
    )
    code = when(
        weekdays=frozenset({3}), channels=frozenset({"WEB"}), accounts=frozenset({5, 10}), ends_at=LATER
    )

    totals = checkout_totals(lines, promo_codes=[code], entered=asked, context=context)

    assert [totals.promo_codes.reason(entry) for entry in range(2)] == [None, RejectionReason.WRONG_DAY]


@pytest.mark.parametrize(
    ("scope", "discounts"),
    [
        ({"weekdays": frozenset({6, 7})}, [0, 100, 0, 100]),
        ({"days": DateRange(date(2026, 3, 6), date(2026, 3, 7))}, [100, 0, 0, 0]),
        ({"days": DateRange(date(2026, 3, 7), date(2027, 1, 1))}, [0, 100, 0, 100]),
        ({"min_lead_days": 3}, [0, 100, 0, 0]),
        ({"max_lead_days": 2}, [100, 0, 0, 100]),
        ({"min_lead_days": -(2**70), "max_lead_days": 2**70}, [100, 100, 0, 100]),
        ({"min_lead_days": 2**70}, [0, 0, 0, 0]),
        ({"max_lead_days": -(2**70)}, [0, 0, 0, 0]),
        ({"discount_cards": frozenset({5})}, [100, 0, 0, 0]),
        ({"discount_cards": frozenset({5, 6})}, [100, 100, 0, 0]),
        ({"discount_cards": frozenset({NONE, 2**63})}, [0, 0, 0, 0]),
        ({"attributes": frozenset({("age", "child")})}, [100, 0, 0, 100]),
        ({"attributes": frozenset({("age", "child"), ("zone", "1")})}, [100, 100, 0, 100]),
        ({"attributes": frozenset({("age", "senior")})}, [0, 0, 0, 0]),
        ({"products": frozenset({1})}, [0, 0, 0, 0]),
        ({"excluded_products": frozenset({1})}, [100, 100, 100, 100]),
        ({"weekdays": frozenset({6, 7}), "attributes": frozenset({("age", "child")})}, [0, 0, 0, 100]),
    ],
)
@pytest.mark.parametrize("is_matrix", [False, True])
def test_lines_are_selected_by_their_ids_and_attributes(
    scope: dict[str, Any], discounts: list[int], is_matrix: bool
) -> None:
    flat = columns(
        1, 1, 1, 1,
        first_day=days("2026-03-06", "2026-03-07", "NaT", "2026-03-08"),
        discount_card=ints(5, 6, NONE, 7),
        attributes={
            ("age", "child"): np.array([True, False, False, True]),
            ("zone", "1"): np.array([False, True, False, False]),
        },
    )  # fmt: skip
    context = ContextColumns(
        at=instants(*["2026-03-04T12"] * 3, "2026-03-06T12"),
        ordered_on=days("2026-03-04", "2026-03-04", "2026-03-04", "2026-03-06"),
    )

    totals = checkout_totals(
        in_a_bucket(flat) if is_matrix else flat, promo_codes=[where(**scope)], context=context
    )

    assert totals.promo_code_discount.tolist() == discounts


FAR_EAST, FAR_WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-04T12:00", date(2026, 3, 4)),
        ("2026-03-04T10:00", date(2026, 3, 5)),
        ("2026-03-04T23:59:59.999999", date(2026, 3, 5)),
        ("2026-03-04T00:00:00.000001", date(2026, 3, 5)),
        ("2026-03-04T11:59", date(2026, 3, 3)),
        ("2026-03-04T00:00", date(2026, 3, 3)),
        ("2026-03-04T23:59:59.999998", date(2026, 3, 3)),
    ],
)
def test_day_of_the_order_is_local_to_the_merchant(at: str, day: date) -> None:
    found = ContextColumns(at=instants(at), ordered_on=days(day.isoformat())).context(0)

    assert found.at == datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert found.at is not None
    assert found.zone is not None
    assert local_date(found.at, found.zone) == day


@pytest.mark.parametrize("price", [1000, 2**33])
@pytest.mark.parametrize(
    ("at", "weekday"),
    [
        (datetime(2026, 3, 5, 0, 30, tzinfo=FAR_EAST), 4),
        (datetime(2026, 3, 4, 23, 30, tzinfo=FAR_WEST), 3),
        (datetime(2026, 3, 4, 10, 30, tzinfo=UTC), 3),
    ],
)
def test_weekday_is_that_of_the_local_date(at: datetime, weekday: int, price: int) -> None:
    lines = columns(1, unit_price=ints(price))
    here = ContextColumns(
        at=instants(at.astimezone(UTC).replace(tzinfo=None).isoformat()),
        ordered_on=days(at.date().isoformat()),
    )

    for context in (Context(at=at, zone=at.tzinfo), here):
        for day in range(1, 8):
            totals = checkout_totals(lines, promo_codes=[when(weekdays=frozenset({day}))], context=context)
            assert totals.promo_code_discount.tolist() == [100 if day == weekday else 0]
