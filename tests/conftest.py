"""Hypothesis profiles and the location of test databases.

The default profile is ``full``; choose another with, for example, ``pytest --hypothesis-profile=brief``.
"""

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from support.effort import FULL_EXAMPLES

# With CI set, every run uses the same examples, so that only a change of the code changes the result; other
# runs use new ones. The blob reproduces a failure elsewhere.
STEADY: dict[str, Any] = {"derandomize": True, "database": None, "print_blob": True}
ALIKE: dict[str, Any] = STEADY if os.environ.get("CI") else {}

# For `make test` and for runs with another purpose. The few examples are not a health check of a strategy.
UNJUDGED = [HealthCheck.filter_too_much, HealthCheck.too_slow]
settings.register_profile("brief", max_examples=5, deadline=None, suppress_health_check=UNJUDGED, **ALIKE)
settings.register_profile("full", max_examples=FULL_EXAMPLES, deadline=None, **ALIKE)
settings.register_profile("thorough", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile("full")

MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 4 << 30
# Thousands of transactions wait for the disk longer than they compute. TMPDIR=/tmp uses the disk again.
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ENOUGH_MEMORY:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


_WITH_POSTGRESQL = ("test_purchase", "test_payment_races")
"""Files of tests over HTTP that `make check` runs with PostgreSQL, too."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave tests of PostgreSQL to `make check`, and to `make release` what its store does not decide.

    `make test` stores in memory and in SQLite.
    """
    for item in items:
        if "postgresql" in item.nodeid:
            item.add_marker(pytest.mark.slow)
            if "tests/http/" in item.nodeid and not any(name in item.nodeid for name in _WITH_POSTGRESQL):
                item.add_marker(pytest.mark.long)
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without collecting garbage: what they consist of lives until the end, and is much."""
    gc.disable()
    result = yield
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # extensions report what is left at the end as a leak
    gc.enable()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Disable doctests here: those of the sources are collected from src, and tests have none."""
    collectors = yield
    return [own for own in collectors if type(own) is pytest.Module]


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(obj: object) -> None:
    """Run coroutines as tests. The plugin has a setting for it, unknown where only the core is tested."""
    if iscoroutinefunction(obj):
        pytest.mark.anyio(obj)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run tests that are coroutines on asyncio, as the service."""
    return "asyncio"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the database server of this test process, if it was started."""
    if "support.stores.postgresql" in sys.modules:
        sys.modules["support.stores.postgresql"].end_server()
