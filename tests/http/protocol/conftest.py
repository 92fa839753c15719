"""Services for hostile requests: one per module, never changed, and one per test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.hostile.hostility import World
from support.hostile.world import world


@pytest.fixture(scope="module")
def resort(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("hostile") / "resort") as resort:
        yield resort


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[World]:
    with world(tmp_path / "fresh") as fresh:
        yield fresh
