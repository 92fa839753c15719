"""Contexts of conditions in columns: a value for each basket or for all, and the merchant's time zone."""

from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest

from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import NONE
from faregate.batch.totals.pipeline import checkout_totals
from faregate.dates.zones import local_date
from faregate.discounts.eligibility import Context
from support.columns.lines import columns, days, instants, ints, when

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday

ONE_CONTEXT = Context(at=NOON, channel="WEB", account=7, zone=UTC)


WEB, WEDNESDAYS = frozenset({"WEB"}), frozenset({3})


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


FAR_EAST, FAR_WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-04T12:00", date(2026, 3, 4)),
        ("2026-03-04T23:59:59.999999", date(2026, 3, 5)),
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
