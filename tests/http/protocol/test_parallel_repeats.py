"""Concurrent and failing requests under one key: one effect, one response."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from httpx2 import AsyncClient, Response

import faregate_http.checkouts.responses
import faregate_http.idempotency
import faregate_server.app
from faregate_http.options import AdmissionLimits
from faregate_http.store.contract import (
    Stale,
    Store,
    StoredAnswer,
    StoreUnavailable,
)
from faregate_server.store.opening import open_store
from support.service.async_service import running_here
from support.service.repeats import KEY, copies, is_replayed, same
from support.service.service import data_of, item, new_url
from support.stores.wrapped_store import Save, WrappedStore


class TestStore(WrappedStore):
    """Store that fails, waits and forgets on demand."""

    __test__ = False

    def __init__(self, inner: Store) -> None:
        super().__init__(inner)
        self.failing = False
        self.blind = 0
        self.gate: asyncio.Event | None = None
        self.saves = 0
        self.overtaken = 0

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        if self.blind:
            self.blind -= 1
            return None
        return await self.inner.answer(scope, key)

    async def keep(self, save: Save) -> None:
        self.saves += 1
        if self.gate is not None:
            await self.gate.wait()
        if self.failing:
            raise StoreUnavailable("the disk is full")
        if save.row is not None and self.overtaken:
            self.overtaken -= 1
            raise Stale(save.row.id, save.row.revision)
        await super().keep(save)

    async def purge_answers(self, before: int) -> int:
        raise StoreUnavailable("the disk is full")


class Started(NamedTuple):
    """A client of a running service, its store, and a checkout with one item."""

    client: AsyncClient
    store: TestStore
    url: str


@pytest.fixture
async def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Started]:
    stores: list[TestStore] = []

    def opened(url: str) -> Store:
        stores.append(TestStore(open_store(url)))
        return stores[-1]

    monkeypatch.setattr(faregate_server.app, "open_store", opened)
    async with running_here(tmp_path, admission=AdmissionLimits(in_progress=4)) as (client, _):
        url = new_url()
        data_of(await client.post(f"{url}/items", json={"items": [item(1, 411)]}))
        yield Started(client, stores[-1], url)


async def one_more(client: AsyncClient, url: str, delta: int = 1, key: str = "k-1") -> Response:
    return await client.patch(
        f"{url}/items/1/quantity", json={"delta": delta}, headers={"idempotency-key": key}
    )


async def turns(number: int = 50) -> None:
    """Let other tasks run."""
    for _ in range(number):
        await asyncio.sleep(0)


async def test_the_second_request_waits_for_the_first(started: Started) -> None:
    client, store, url = started
    elsewhere = new_url()
    store.saves, store.gate = 0, asyncio.Event()
    running = [asyncio.create_task(one_more(client, url, delta)) for delta in (1, 1, 2, 1)]
    await turns()
    assert not any(task.done() for task in running)
    assert store.saves == 1

    gate, store.gate = store.gate, None
    opened = await client.post(f"{elsewhere}/items", json={"items": []}, headers=KEY)
    gate.set()
    first, second, other_body, third = [await task for task in running]

    assert opened.status_code == 200  # other keys do not wait
    assert same(first, second)
    assert same(first, third)
    assert other_body.json()["code"] == "idempotency-key-reused"
    assert copies(await client.get(url)) == 1


@pytest.mark.parametrize("headers", [KEY, {}], ids=["of one key", "of one checkout"])
async def test_copies_of_a_slow_request_leave_places_to_others(
    started: Started, headers: dict[str, str]
) -> None:
    client, store, url = started
    store.gate = gate = asyncio.Event()
    change = f"{url}/items/1/quantity"
    slow = [asyncio.create_task(client.patch(change, json={"delta": 1}, headers=headers)) for _ in range(8)]
    await turns(200)

    store.gate = None
    opened = await client.post(f"{new_url()}/items", json={"items": []})
    gate.set()
    done = await asyncio.gather(*slow)

    assert opened.status_code == 200
    assert {response.status_code for response in done} == {200}


async def test_the_second_request_takes_over_if_the_first_is_cancelled_unsaved(started: Started) -> None:
    client, store, url = started
    store.gate = asyncio.Event()
    first, second = [asyncio.create_task(one_more(client, url)) for _ in range(2)]
    await turns()
    store.gate.set()
    store.gate = None
    first.cancel()

    answer = await second

    assert first.cancelled()
    assert answer.status_code == 200
    assert copies(await client.get(url)) == 1


@pytest.mark.parametrize("after", range(0, 60, 5))
async def test_cancelling_the_first_request_at_any_point_leaves_one_effect(
    started: Started, after: int
) -> None:
    client, _, url = started
    first = asyncio.create_task(one_more(client, url))
    await turns(after)
    first.cancel()

    answers = await asyncio.gather(*(one_more(client, url) for _ in range(3)))
    await asyncio.gather(first, return_exceptions=True)

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert copies(await client.get(url)) == 1


async def test_a_storage_error_is_not_stored(started: Started) -> None:
    client, store, url = started
    before = await client.get(url)
    store.failing = True

    failed = await one_more(client, url)
    store.failing = False
    assert (await client.get(url)).content == before.content
    done = await one_more(client, url)

    assert failed.status_code == 503
    assert failed.json()["code"] == "storage-unavailable"
    assert failed.headers["retry-after"] == "1"
    assert "disk" not in failed.text
    assert done.status_code == 200
    assert not is_replayed(done)
    assert same(done, await one_more(client, url))
    assert copies(await client.get(url)) == 1


async def test_a_change_that_is_overtaken_is_retried(started: Started) -> None:
    client, store, url = started
    store.overtaken = 10

    done = await one_more(client, url)

    assert done.status_code == 200
    assert copies(await client.get(url)) == 1


async def test_a_change_that_is_always_overtaken_is_503_and_not_stored(started: Started) -> None:
    client, store, url = started
    store.overtaken = 10**6
    refused = await one_more(client, url)
    store.overtaken = 0
    done = await one_more(client, url)

    assert (refused.status_code, refused.json()["code"]) == (503, "busy")
    assert refused.headers["retry-after"] == "1"
    assert done.status_code == 200
    assert not is_replayed(done)
    assert copies(await client.get(url)) == 1


async def test_failing_to_remove_old_responses_blocks_nothing(
    started: Started, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await one_more(started.client, started.url)).status_code == 200

    logged = [record.getMessage() for record in (*caplog.get_records("setup"), *caplog.records)]
    assert logged == ["housekeeping: failed, retrying: the disk is full"]


async def test_an_unsaved_change_does_not_affect_the_next(started: Started) -> None:
    client, store, url = started
    store.failing = True
    failed = await one_more(client, url, delta=5)
    store.failing = False
    done = await one_more(client, url, delta=2, key="k-2")

    assert failed.status_code == 503
    assert copies(done) == 2
    assert (await client.get(url)).content == done.content


async def test_a_change_whose_response_cannot_be_stored_has_no_effect(started: Started) -> None:
    client, store, url = started
    first = await one_more(client, url)
    before = await client.get(url)
    store.blind = 1  # another process stores its response between the look-up and the save

    second = await one_more(client, url)
    store.blind = 1
    other_body = await one_more(client, url, delta=2)

    assert same(first, second)
    assert other_body.json()["code"] == "idempotency-key-reused"
    after = await client.get(url)
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


async def test_a_refusal_stored_in_the_meantime_is_returned(started: Started) -> None:
    client, store, url = started
    first = await one_more(client, url, delta=-5)
    store.blind = 1

    assert first.status_code == 422
    assert same(first, await one_more(client, url, delta=-5))


async def test_a_key_can_be_reused_after_its_request_ran_out_of_memory(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _, url = started
    with monkeypatch.context() as patched:
        patched.setattr(faregate_http.idempotency, "Event", _no_memory)
        assert (await one_more(client, url)).status_code == 503

    again = await asyncio.wait_for(one_more(client, url), 10)

    assert copies(again) == 1


def _no_memory() -> None:
    raise MemoryError
