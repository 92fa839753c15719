"""Sold counts in memory: read in the background, never served older than five seconds, never lost."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.checkout.model import Checkout, CheckoutItem
from faregate.dates.instants import Interval
from faregate.files import demo_catalogue, load_catalogue
from faregate_http.background import again_and_again
from faregate_http.inventory.sold_counts import MAX_SECONDS, REACH, SoldCounts
from faregate_http.protocol.problems import Problem
from faregate_http.store.contract import SlotCount, StoreUnavailable
from faregate_server.store.opening import open_store
from faregate_server.telemetry.metrics import Metrics
from support.service.service import START, Clock
from support.stores.sqlite import new_database
from support.stores.watched_store import Timer, WatchedStore, away, sell

BAZAAR = Path(__file__).parents[2] / "support" / "catalogues" / "bazaar.yaml"
ARVEN = "mountain-arven"  # the demo resort's only pool that prices depend on
TODAY = START.date()
SUNDAY = PoolSlot(ARVEN, date(2026, 12, 27))
MILLISECOND = 0.001
ZURICH = ZoneInfo("Europe/Zurich")


class Parts(NamedTuple):
    """Sold counts and their parts."""

    counts: SoldCounts
    store: WatchedStore
    database: Path
    clock: Clock
    timer: Timer

    @property
    def reads(self) -> int:
        """Number of reads of the store."""
        return len(self.store.asked)

    def sell(self, places: int, day: date = SUNDAY.day, pool: str = ARVEN) -> None:
        """Sell units of a pool."""
        sell(self.database, pool, day.isoformat(), places)


@pytest.fixture
async def parts(tmp_path: Path) -> AsyncIterator[Parts]:
    """Yield counts of the demo resort that have not been read yet."""
    async with counting(tmp_path / "counts.db", demo_catalogue()) as parts:
        yield parts


@asynccontextmanager
async def counting(database: Path, catalogue: Catalogue) -> AsyncIterator[Parts]:
    """Yield counts that have not been read yet."""
    store, clock, timer = WatchedStore(open_store(new_database(database))), Clock(), Timer()
    try:
        yield Parts(SoldCounts(store, catalogue, clock=clock, timer=timer), store, database, clock, timer)
    finally:
        await store.close()


async def reads(parts: Parts, number: int) -> None:
    """Wait for *number* more reads of the store."""
    most = parts.reads + number
    await eventually(lambda: parts.reads >= most)


async def eventually(is_so: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(10):
        while not is_so():
            await asyncio.sleep(MILLISECOND)


def refusal(ask: Callable[[], object]) -> Problem:
    """Return the problem that *ask* raises."""
    with pytest.raises(Problem) as refused:
        ask()
    return refused.value


async def test_only_sold_units_are_counted(parts: Parts) -> None:
    parts.sell(1500)
    parts.sell(0, SUNDAY.day + timedelta(days=1))
    parts.sell(7, pool="mountain-grat")

    await parts.counts.read()

    assert parts.counts.at_hand() == {SUNDAY: PoolUsage(sold=1500)}


async def taken(*_arguments: object, **_options: object) -> list[SlotCount]:
    return [SlotCount(ARVEN, "2026-12-27", 2, 7), SlotCount(ARVEN, "2026-12-28", 0, 7)]


async def test_held_units_are_not_sold_units(parts: Parts) -> None:
    parts.store.taken = taken  # type: ignore[method-assign]
    await parts.counts.read()

    assert parts.counts.at_hand() == {SUNDAY: PoolUsage(sold=2, held=0)}


async def test_held_units_count_if_a_product_counts_them_but_not_those_of_the_checkout_itself(
    tmp_path: Path,
) -> None:
    resort = demo_catalogue()
    saver, adult = resort.variant(151)
    adult = replace(adult, steps=None)
    saver = replace(saver, counts_holds=True, variants=(adult, *saver.variants[1:]))
    products = tuple(saver if each.id == saver.id else each for each in resort.products)
    holding = replace(resort, products=products)
    sunday = Interval(datetime(2026, 12, 27, tzinfo=ZURICH), datetime(2026, 12, 28, tzinfo=ZURICH))
    items = tuple(CheckoutItem(id=number, variant=151, validity=sunday) for number in range(1, 9))
    of_2, of_8 = (Checkout(resort.channels[0].uuid, items[:count]) for count in (2, 8))

    async with counting(tmp_path / "held.db", holding) as parts:
        parts.store.taken = taken  # type: ignore[method-assign]
        await parts.counts.read()
        gate, anyone = parts.counts.at_hand(), await parts.counts.fresh()
        own, expired = await parts.counts.fresh(of_2), await parts.counts.fresh(of_8)

    monday = PoolSlot(ARVEN, date(2026, 12, 28))
    assert gate == anyone == {SUNDAY: PoolUsage(2, 7), monday: PoolUsage(0, 7)}
    assert own == {SUNDAY: PoolUsage(2, 5), monday: PoolUsage(0, 7)}
    assert expired[SUNDAY] == PoolUsage(2, 0)


async def test_counts_start_four_hundred_days_ago(parts: Parts) -> None:
    first = TODAY - timedelta(days=400)
    for day in (first - timedelta(days=1), first, date(9999, 12, 31)):
        parts.sell(3, day)

    await parts.counts.read()

    assert timedelta(days=400) == REACH
    assert {slot.day for slot in parts.counts.at_hand()} == {first, date(9999, 12, 31)}


async def test_nothing_is_read_if_no_price_depends_on_a_pool(tmp_path: Path) -> None:
    async with counting(tmp_path / "counts.db", load_catalogue(BAZAAR)) as parts:
        parts.sell(4, pool="mountain")
        await parts.counts.read()
        await parts.counts.read()
        parts.timer.seconds += 1_000_000
        parts.clock.turn(days=1)

        assert parts.counts.at_hand() == await parts.counts.fresh() == {}
        assert parts.reads == 0


async def test_counts_are_reused_for_five_seconds(parts: Parts) -> None:
    parts.sell(2)
    await parts.counts.read()
    parts.sell(3)

    parts.timer.seconds += MAX_SECONDS - MILLISECOND

    assert parts.counts.at_hand()[SUNDAY] == PoolUsage(2)
    assert parts.reads == 1


@pytest.mark.parametrize("age", [MAX_SECONDS, MAX_SECONDS + MILLISECOND, 1e9])
async def test_counts_are_stale_from_five_seconds_on(parts: Parts, age: float) -> None:
    parts.sell(2)
    await parts.counts.read()

    parts.timer.seconds += age

    counts = parts.counts.at_hand()
    asks = (lambda: counts.get(SUNDAY), lambda: counts[SUNDAY], lambda: [*counts], lambda: len(counts))
    for problem in map(refusal, asks):
        assert (problem.status, problem.code) == (503, "sold-counts-stale")
        assert problem.headers == ((b"retry-after", b"1"),)
    assert parts.reads == 1


async def test_setting_the_clock_does_not_make_counts_stale(parts: Parts) -> None:
    parts.sell(2)
    await parts.counts.read()

    parts.clock.turn(days=3)

    assert parts.counts.at_hand()[SUNDAY] == PoolUsage(2)


async def test_the_age_of_counts_starts_before_the_store_is_queried(parts: Parts) -> None:
    """Counts from a store that takes four seconds are four seconds old."""

    async def slowly(*arguments: object, **options: object) -> list[object]:
        parts.timer.seconds += 4
        return []

    parts.store.taken = slowly  # type: ignore[assignment, method-assign]
    await parts.counts.read()
    parts.timer.seconds += 1

    assert refusal(lambda: len(parts.counts.at_hand())).status == 503


@pytest.mark.parametrize(
    ("seconds", "turned", "reads"),
    [
        pytest.param(0, 0, 1, id="young"),
        pytest.param(4.999, 4.999, 1, id="nearly too old"),
        pytest.param(5, 0, 2, id="too old"),
        pytest.param(0, 5, 2, id="too old by the clock"),
        pytest.param(0, -0.001, 2, id="the clock was set back"),
    ],
)
async def test_fresh_counts_are_read_only_if_the_last_ones_are_stale(
    parts: Parts, seconds: float, turned: float, reads: int
) -> None:
    await parts.counts.read()
    parts.sell(9)
    parts.timer.seconds += seconds
    parts.clock.turn(seconds=turned)

    counts = await parts.counts.fresh()

    assert parts.reads == reads
    assert counts == ({SUNDAY: PoolUsage(9)} if reads == 2 else {})
    assert parts.counts.at_hand() == counts


async def test_a_failed_read_keeps_the_counts(parts: Parts) -> None:
    parts.sell(2)
    await parts.counts.read()
    parts.store.error = away()

    with pytest.raises(StoreUnavailable):
        await parts.counts.read()

    assert parts.counts.at_hand() == {SUNDAY: PoolUsage(2)}


@pytest.mark.parametrize("error", [away(), ValueError("Invalid isoformat string: 'x'")], ids=["away", "odd"])
async def test_an_outage_is_survived_and_logged_once(
    parts: Parts, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    await parts.counts.read()
    with caplog.at_level(logging.INFO, "faregate.http"):
        keeping = asyncio.create_task(
            again_and_again("sold counts", parts.counts.read, MILLISECOND, Metrics())
        )
        for places in (1, 2):
            parts.store.error = error
            await reads(parts, 3)
            parts.sell(places)
            parts.store.error = None
            await reads(parts, 3)
            assert parts.counts.at_hand() == {SUNDAY: PoolUsage(places)}
        keeping.cancel()

    failed = (logging.ERROR, f"sold counts: failed, retrying: {error}")
    again = (logging.WARNING, "sold counts: succeeded again")
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [failed, again] * 2
