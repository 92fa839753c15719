"""How hard Hypothesis searches, and where the databases of tests are.

It is ``full`` by default, otherwise as ``pytest --hypothesis-profile=brief``.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from support.effort import FULL_EXAMPLES

# Where CI is set every run has the same examples, so that a change is judged by what it changes; other runs
# find others. The blob replays a failure elsewhere.
STEADY: dict[str, Any] = {"derandomize": True, "database": None, "print_blob": True}
ALIKE: dict[str, Any] = STEADY if os.environ.get("CI") else {}

# `make test`, and runs that look for something else than counterexamples. So few say nothing of a strategy.
UNJUDGED = [HealthCheck.filter_too_much, HealthCheck.too_slow]
settings.register_profile("brief", max_examples=10, deadline=None, suppress_health_check=UNJUDGED, **ALIKE)
settings.register_profile("full", max_examples=FULL_EXAMPLES, deadline=None, **ALIKE)
settings.register_profile("thorough", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile("full")

MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 4 << 30
# Thousands of transactions wait for a disk longer than they compute. TMPDIR=/tmp goes back to the disk.
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ENOUGH_MEMORY:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect tests, not doctests: those of the sources are collected from there, and no test has any."""
    collectors = yield
    return [own for own in collectors if type(own) is pytest.Module]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the database server that the tests of this process have started, if they have."""
    if "support.stores.postgresql" in sys.modules:
        sys.modules["support.stores.postgresql"].end_server()
