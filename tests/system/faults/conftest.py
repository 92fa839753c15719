"""The process from which servers are forked, one for all tests of a run."""

from collections.abc import Iterator

import pytest

from support.faults.servers import Nursery, nursery


@pytest.fixture(scope="session")
def servers() -> Iterator[Nursery]:
    with nursery() as started:
        yield started
