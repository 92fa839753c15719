"""The gate reads no database: prices follow recent sales, and nothing else depends on the database."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import faregate_http.background
import faregate_server.app
from faregate_http.store.contract import Store, StoreUnavailable
from faregate_server.settings import Settings
from faregate_server.store.opening import open_store
from support.service.gate import ADULT, PATH, ask_gate, priced, refused
from support.service.raw_requests import problem_of
from support.service.service import Clock, data_of, item, new_url, running
from support.stores.sqlite import new_database
from support.stores.watched_store import Timer, WatchedStore, away, sell

MONDAY = "2027-01-18"
ARVEN = "mountain-arven"

# The saver ticket at once: 79.00, plus 2.00 for every 500 units sold.
SAVER = ADULT | {"dta_product_id": 5, "valid_from": MONDAY, "order_date": MONDAY}

WatchedService = tuple[TestClient, WatchedStore]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database with the tables of a service."""
    path = tmp_path / "checkouts.db"
    new_database(path)
    return path


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Record the calls of the stores of services."""
    monkeypatch.setattr(faregate_server.app, "open_store", lambda url: WatchedStore(open_store(url)))


def read_every(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the interval at which services read the counts."""
    monkeypatch.setattr(faregate_http.background, "READ_EVERY_SECONDS", seconds)


@pytest.fixture
def service(
    database: Path, clock: Clock, timer: Timer, watched: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[WatchedService]:
    """Yield a service that reads the counts at the start, and then only on demand."""
    read_every(3600, monkeypatch)
    sell(database, ARVEN, MONDAY, 1000)
    with running(database.parent, clock=clock, timer=timer) as client:
        yield client, client.app_state["services"].store


def read_again(client: TestClient) -> None:
    """Read the counts, as the background work does every other second."""
    assert client.portal is not None
    client.portal.call(client.app_state["services"].sold_counts.read)


def test_earlier_sales_count_from_the_first_request(service: WatchedService) -> None:
    client, _ = service

    assert priced(client, SAVER) == (8300, 8300, "CHF")


def test_later_sales_count_once_they_are_read(service: WatchedService, database: Path) -> None:
    client, _ = service
    sell(database, ARVEN, MONDAY, 1499)
    assert priced(client, SAVER)[0] == 8300
    sell(database, ARVEN, MONDAY, 1500)
    assert priced(client, SAVER)[0] == 8300

    read_again(client)

    assert priced(client, SAVER)[0] == 8500


def test_the_checkout_prices_by_the_same_counts(
    service: WatchedService, database: Path, timer: Timer
) -> None:
    client, store = service
    saver = item(1, 151, validity={"from": "2026-12-14", "to": "2026-12-14"})

    def price() -> object:
        opened = client.post(f"{new_url()}/items", json={"items": [saver]})
        return data_of(opened)["items"][0]["listPriceGross"]

    # Thirteen days ahead, on a Monday.
    assert price() == 67
    sell(database, ARVEN, "2026-12-14", 500)
    assert price() == 67
    timer.seconds += 5
    assert price() == 69
    assert len(store.asked) == 2  # at the start, and when the counts were too old


def test_a_thousand_prices_never_query_the_store(
    service: WatchedService, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, store = service
    read = len(store.asked)

    def forbidden(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the store was asked")

    for name in ("head", "checkout", "answer", "save", "version", "check", "taken"):
        monkeypatch.setattr(store, name, forbidden)
    answers = {ask_gate(client, SAVER if number % 2 else ADULT) for number in range(1000)}
    monkeypatch.undo()

    assert [answer.status for answer in answers] == [200, 200]
    assert len(store.asked) == read == 1


def test_only_prices_that_depend_on_sales_fail_without_the_database(
    service: WatchedService, timer: Timer
) -> None:
    client, store = service
    store.error = away()

    timer.seconds += 4.999
    assert priced(client, SAVER)[0] == 8300
    timer.seconds += 0.001

    reply = ask_gate(client, SAVER)
    refused(reply, 503, "sold-counts-stale")
    assert client.post(PATH, json=SAVER).status_code == 503  # as declared
    assert reply.header("retry-after") == "1"
    assert priced(client, ADULT)[0] == 7900
    assert priced(client, ADULT | {"dta_product_id": 2})[0] == 15100
    refused(ask_gate(client, ADULT | {"dta_product_id": 999}), 422, "unknown-mapping", "/dta_product_id")
    problem_of(ask_gate(client, b"{"), 400, "invalid-json")


def test_a_service_reads_the_counts_for_as_long_as_it_serves(
    database: Path, watched: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def serve() -> int:
        before = asyncio.all_tasks()
        app = faregate_server.app.create_app(Settings(database=f"sqlite:///{database}"))
        async with app.router.lifespan_context(app) as state:
            assert state is not None
            store: WatchedStore = state["services"].store
            counts = state["services"].sold_counts
            assert dict(counts.at_hand()) == {}
            sell(database, ARVEN, MONDAY, 3)
            await until(lambda: bool(dict(counts.at_hand())))
        read = len(store.asked)
        await asyncio.sleep(0.02)
        assert asyncio.all_tasks() == before
        return len(store.asked) - read

    read_every(0.001, monkeypatch)
    with caplog.at_level(logging.INFO, "faregate.http"):
        read_after_the_end = asyncio.run(serve())

    assert read_after_the_end == 0
    assert caplog.records == []


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(10):
        while not is_so():
            await asyncio.sleep(0.001)


def test_a_service_whose_counts_cannot_be_read_at_first_does_not_start(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[WatchedStore] = []

    def open_unreadable(url: str) -> Store:
        store = WatchedStore(open_store(url))
        store.error = away()
        opened.append(store)
        return store

    monkeypatch.setattr(faregate_server.app, "open_store", open_unreadable)

    with pytest.raises(StoreUnavailable), running(database.parent):
        pass

    (store,) = opened
    with pytest.raises(StoreUnavailable):  # it is closed
        asyncio.run(store.head("any"))
