"""Fixtures for the service on its stage."""

from collections.abc import Iterator

import pytest

from support.model.stage import Stage, stage


@pytest.fixture(name="stage", scope="module")
def _stage() -> Iterator[Stage]:
    with stage() as opened:
        yield opened
