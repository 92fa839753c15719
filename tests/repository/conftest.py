"""Distributions, built once."""

from pathlib import Path

import pytest

from support.installs import built


@pytest.fixture(scope="session")
def distributed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the wheel and the source distribution."""
    return built(tmp_path_factory.mktemp("distributions"))
