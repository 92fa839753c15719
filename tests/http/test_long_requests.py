"""No request holds the event loop for long, however large the calendar or the checkout."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Thread
from time import thread_time
from typing import Any

import pytest
from httpx2 import AsyncClient

from faregate.catalogue.catalogue import Catalogue
from faregate.dates.durations import Duration
from faregate.files import demo_catalogue
from faregate_http import aside
from faregate_http.app import create_app
from faregate_http.options import Options
from faregate_http.providers import Providers
from faregate_http.store.memory import MemoryStore
from support.service.async_service import running_app
from support.service.service import Clock, item
from support.service.unlimited import FREE_HOLDS

MOST_SECONDS = 0.05
"""Longest time that one turn of the event loop may compute."""

TICKET, ITEMS = 12, 500
YEAR = {"dateFrom": "2026-12-01", "dateTo": "2027-12-01"}
CHECKOUT = "/api/checkout/0f8fad5b-d9cb-469f-a165-70867728950e"
JOURNEY = f"/api/booking/products/{TICKET}/journey/validities"


def large_catalogue() -> Catalogue:
    """Return the demo resort with a ticket of 300 variants, and checkouts of 500 units."""
    demo = demo_catalogue()
    ticket = demo.product(TICKET)
    more = [
        replace(ticket.standard_variant, id=90_000 + number, is_standard=False, external_ids=())
        for number in range(300 - len(ticket.variants))
    ]
    durations = tuple(Duration(days=days) for days in range(1, 8))
    large = replace(ticket, variants=(*ticket.variants, *more), durations=durations)
    return replace(
        demo,
        products=tuple(large if product.id == TICKET else product for product in demo.products),
        channels=tuple(replace(channel, max_units=ITEMS) for channel in demo.channels),
    )


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list of the CPU seconds that the event loop's thread spends in each of its turns."""
    found: list[float] = []
    run: Callable[[asyncio.Handle], None] = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        before = thread_time()
        run(handle)
        found.append(thread_time() - before)

    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    return found


async def answered(client: AsyncClient, method: str, path: str, **sent: Any) -> None:
    response = await client.request(method, path, **sent)
    assert response.status_code == 200, response.text[:500]


async def read_calendars(client: AsyncClient) -> None:
    await answered(client, "GET", JOURNEY, params={**YEAR, "limit": "366"})


async def read_full_calendars(client: AsyncClient) -> None:
    await answered(client, "GET", JOURNEY, params={**YEAR, "onlyAvailable": "true", "quantity": "9999"})
    await answered(client, "GET", "/api/products/multi-day-ticket", params={"include": "nextAvailability"})
    await answered(client, "GET", f"{JOURNEY}/suggested", params={"quantity": "9999"})


async def fill_a_checkout(client: AsyncClient) -> None:
    variants = [variant.id for variant in large_catalogue().product(TICKET).variants]
    day = {"from": "2027-01-16", "to": "2027-01-16"}
    items = [item(n + 1, variants[n % len(variants)], validity=day) for n in range(ITEMS)]
    await answered(client, "POST", f"{CHECKOUT}/items", json={"items": items})
    await answered(client, "GET", CHECKOUT, headers={"accept-language": "fr"})
    await answered(client, "GET", f"{CHECKOUT}/explanation")
    await answered(client, "DELETE", f"{CHECKOUT}/items", params={"itemId": "7"})


@pytest.mark.parametrize(
    "work", [read_calendars, pytest.param(read_full_calendars, marks=pytest.mark.slow), fill_a_checkout]
)
def test_no_turn_of_the_event_loop_is_long(
    work: Callable[[AsyncClient], Awaitable[None]], turns: list[float]
) -> None:
    async def serve() -> None:
        app = create_app(
            large_catalogue(),
            MemoryStore,
            options=Options(**FREE_HOLDS),
            providers=Providers(clock=Clock()),
        )
        async with running_app(app) as running:
            turns.clear()
            await work(running.client)

    for _ in range(3):  # on a busy machine, CPU time counts several times
        asyncio.run(serve())
        if max(turns) < MOST_SECONDS:
            break

    assert max(turns) < MOST_SECONDS


def test_a_long_request_is_refused_without_memory_for_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def serve() -> tuple[int, int]:
        async with running_app(create_app(large_catalogue(), MemoryStore)) as running:
            with monkeypatch.context() as shortage:
                shortage.setattr(aside, "_thread", ThreadPoolExecutor(1))
                shortage.setattr(Thread, "start", start)
                refused = await running.client.get(JOURNEY, params=YEAR)
            return refused.status_code, (await running.client.get(JOURNEY, params=YEAR)).status_code

    assert asyncio.run(serve()) == (503, 200)
