"""Background work: due payments and tickets, and housekeeping.

Every process does this work. Writes are conditional, so only one process succeeds with each change.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from uuid import uuid4

from faregate_http.accounts.erasure import erase_due
from faregate_http.checkouts.retention import Retention
from faregate_http.idempotency import KEPT_FOR
from faregate_http.inventory.sold_counts import READ_EVERY_SECONDS
from faregate_http.payment.details import expire_due
from faregate_http.protocol.instants import millis
from faregate_http.services import Services
from faregate_http.telemetry import Telemetry

_log = logging.getLogger("faregate.http")

HOUSEKEEPING_SECONDS = 60.0
WORK_SECONDS = 1.0


@asynccontextmanager
async def running(*works: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """Run the coroutines *works* in the background until an ``async with`` block ends, then cancel them."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


def works_of(services: Services, telemetry: Telemetry) -> tuple[Coroutine[object, object, None], ...]:
    """Return the coroutines that do a service's background work; each runs until it is cancelled."""
    housekeeping = partial(keep_house, services, Retention(services.store, begun=str(uuid4())), telemetry)
    truncate_log, read = services.store.truncate_log, services.sold_counts.read
    return (
        again_and_again("payments", services.payments.work, WORK_SECONDS, telemetry),
        again_and_again("tickets", services.ticketing.work, WORK_SECONDS, telemetry),
        again_and_again("housekeeping", housekeeping, HOUSEKEEPING_SECONDS, telemetry),
        # Not at the start: truncating the log would make cached database state look outdated.
        again_and_again("log", truncate_log, HOUSEKEEPING_SECONDS, telemetry, is_later=True),
        # The counts were read before the first request.
        again_and_again("sold counts", read, READ_EVERY_SECONDS, telemetry, is_later=True),
    )


async def again_and_again(
    what: str,
    work: Callable[[], Awaitable[object]],
    seconds: float,
    telemetry: Telemetry,
    *,
    is_later: bool = False,
) -> None:
    """Repeat *work* with pauses of *seconds*, and log as *what* when it begins to fail or recovers.

    With *is_later*, the first run also waits.
    """
    is_away = False
    if is_later:
        await asyncio.sleep(seconds)
    while True:
        try:
            await work()
        except Exception as error:  # after any error, the next attempt may succeed
            if not is_away:
                _log.error("%s: failed, retrying: %s", what, error, exc_info=error, extra={"work": what})
            is_away = True
        else:
            if is_away:
                _log.warning("%s: succeeded again", what, extra={"work": what})
            is_away = False
        telemetry.worked(what, succeeded=not is_away)
        await asyncio.sleep(seconds)


async def keep_house(services: Services, retention: Retention, telemetry: Telemetry) -> None:
    """Remove what has expired: responses, holds, payment details, accounts, personal data, checkouts."""
    store, clock = services.store, services.clock
    telemetry.deleted("responses", await store.purge_answers(millis(clock() - KEPT_FOR)))
    await store.release_expired(millis(clock()))
    await expire_due(store, clock())
    await erase_due(store, clock())
    before = retention.deleted
    await retention.walk(clock())
    telemetry.deleted("checkouts", retention.deleted - before)
