"""The machine itself: it detects every mutation of the service within a number of plays."""

import pytest

from support.model.breaks import BREAKS, Break
from support.model.stage import Stage
from support.model.walking import walk

pytestmark = pytest.mark.slow

PLAYS = 8
WALKS = 40
"""Plays from the seed that was fastest; other machines walk differently."""


@pytest.mark.parametrize(("broken", "number"), BREAKS.items(), ids=[broken.__name__ for broken in BREAKS])
def test_every_mutation_is_detected(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, broken: Break, number: int
) -> None:
    broken(monkeypatch)

    with pytest.raises(AssertionError):
        walk_about(stage, number)


def walk_about(stage: Stage, first: int) -> None:
    """Run walk after walk."""
    for number in range(first, first + WALKS):
        walk(stage, number, plays=PLAYS)
