"""Rows and stored responses for the tests of stores."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.synchronize import Barrier

from faregate_http.store.contract import CheckoutRow, Store, StoredAnswer
from faregate_server.store.opening import open_store

CHECKOUT_ID = "3f0b8a52-9a53-4c5a-8e0c-5d7c1a4f6b10"
SCOPE = "POST /checkouts/items"


def a_row(
    checkout_id: str = CHECKOUT_ID, *, revision: int = 1, account: int | None = None, inputs: bytes = b"{}"
) -> CheckoutRow:
    return CheckoutRow(
        id=checkout_id,
        channel="7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77",
        account=account,
        is_closed=False,
        revision=revision,
        started_at=1_766_000_000_000,
        changed_at=1_766_000_000_000 + revision,
        expires_at=1_766_000_900_000,
        inputs=inputs,
    )


def an_answer(key: str = "k1", *, body: bytes = b"\x00\xff", created_at: int = 5) -> StoredAnswer:
    return StoredAnswer(SCOPE, key, b"\x01\x02", 200, b'{"etag":"1"}', body, created_at)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = open_store(url)
    try:
        yield store
    finally:
        await store.close()


def start_and_save(url: str, checkout_id: str, barrier: Barrier) -> None:
    """Open the store when all are ready and save one checkout: the body of a process."""

    async def run() -> None:
        async with opened(url) as store:
            await store.save(a_row(checkout_id))

    barrier.wait(60)
    asyncio.run(run())
