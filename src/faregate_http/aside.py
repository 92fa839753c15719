"""Long computations, moved to a thread so that they do not delay other requests."""

from asyncio import get_running_loop
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.products import Product
from faregate.dates.instants import DateRange
from faregate.validity.bookability import start_times

_Result = TypeVar("_Result")

LONG = 1_000
"""Number of steps from which a computation is long; a step takes up to 10 µs."""

STEPS_PER_ITEM = 10
"""Number of steps that an item of a checkout counts for: pricing, writing or explaining it."""

# One thread: several would only take turns, and would delay the event loop more.
_thread = ThreadPoolExecutor(1, thread_name_prefix="faregate-aside")


async def aside(work: Callable[[], _Result], *, steps: int) -> _Result:
    """Return the result of *work*, a pure computation, without holding the event loop.

    It runs in a thread if it takes at least `LONG` *steps*; the event loop gets its turn every few
    milliseconds (``sys.getswitchinterval``). Shorter work runs at once, since a thread costs 0.1 ms.

    Raises:
        MemoryError: the thread cannot start.
    """
    if steps < LONG:
        return work()
    try:
        result = get_running_loop().run_in_executor(_thread, copy_context().run, work)
    except RuntimeError as error:  # Python reports a thread that cannot start in this way
        raise MemoryError from error
    return await result


def calendar_steps(product: Product, catalogue: Catalogue, days: DateRange) -> int:
    """Return the number of steps of a calendar: a price for every day, start, duration and variant."""
    starts = len(start_times(product, catalogue)) or 1
    return days.days * starts * len(product.durations) * len(product.variants)
