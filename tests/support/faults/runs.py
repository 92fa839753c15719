"""Duration, seed and clients of the fault tests."""

import os
import random
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from support.faults.servers import Server
from support.service.service import HEADERS

LOSS = (
    "is not there|is gone|is lost|unknown-checkout|does not belong to an account|an order|"
    'expected . items, got|"code":"internal"'
)
"""Messages after a loss of acknowledged data, including internal errors of the service."""

_SEED = int(os.environ.get("FAREGATE_SEED", random.randrange(10**9)))


def seeded(part: int) -> int:
    """Return the seed of that part of a run, printed as the variable that repeats it."""
    print(f"FAREGATE_SEED={_SEED}")  # noqa: T201  # shown when the test fails
    return _SEED * 1_000 + part


def long_form(variable: str, brief: int) -> int:
    """Return the number of repetitions in *variable*, or *brief*."""
    return int(os.environ.get(variable, brief))


def client_of(server: Server, *, seconds: float = 30) -> httpx2.AsyncClient:
    """Return a client with that timeout."""
    limits = httpx2.Limits(max_connections=200, max_keepalive_connections=200)
    return httpx2.AsyncClient(
        base_url=server.address, headers=HEADERS, timeout=seconds, trust_env=False, limits=limits
    )


@contextmanager
def caught(what: str) -> Iterator[None]:
    """Run a block in which a check must fail with an expected message."""
    with pytest.raises((AssertionError, ExceptionGroup)) as found:
        yield
    text = "".join(traceback.format_exception(found.value))
    assert re.search(what, text), text
