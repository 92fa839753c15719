"""How the tests of faults are run: how long, from which seed, and who asks."""

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
    "is not there|is gone|is lost|unknown-checkout|does not belong to an account|an order|expected . items, got|"
    '"code":"internal"'
)
"""What somebody finds who was told of something that was not kept; or the service trips over it."""

_SEED = int(os.environ.get("FAREGATE_SEED", random.randrange(10**9)))


def seeded(part: int) -> int:
    """The seed of that part of a run, printed as the variable that repeats it."""
    print(f"FAREGATE_SEED={_SEED}")  # noqa: T201  # shown when the test fails
    return _SEED * 1_000 + part


def long_form(variable: str, brief: int) -> int:
    """How often: as *variable* says, or *brief*."""
    return int(os.environ.get(variable, brief))


def client_of(server: Server, *, seconds: float = 30) -> httpx2.AsyncClient:
    """A client that waits so long."""
    limits = httpx2.Limits(max_connections=200, max_keepalive_connections=200)
    return httpx2.AsyncClient(
        base_url=server.address, headers=HEADERS, timeout=seconds, trust_env=False, limits=limits
    )


@contextmanager
def caught(what: str) -> Iterator[None]:
    """A block in which something must be found wrong, and be called so, whoever of several finds it."""
    with pytest.raises((AssertionError, ExceptionGroup)) as found:
        yield
    text = "".join(traceback.format_exception(found.value))
    assert re.search(what, text), text
