"""Walks of the machine: a counted number of steps from a seed that reproduces them."""

import os

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import get_state_machine_test

from support.model.stage import Stage
from support.model.valley import Valley

STEPS_OF_A_PLAY = 60
PLAYS_OF_A_WALK = 40

IS_SHRUNK = "FAREGATE_SHRINK" in os.environ
"""Shrinking a failure takes minutes."""


def walk(stage: Stage, number: int, *, plays: int = PLAYS_OF_A_WALK) -> int:
    """Run *plays* plays from a seed; return the number of steps."""
    before = stage.steps
    phases = (Phase.generate, Phase.shrink) if IS_SHRUNK else (Phase.generate,)
    options = settings(
        max_examples=plays,
        stateful_step_count=STEPS_OF_A_PLAY,
        phases=phases,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    seed(number)(get_state_machine_test(lambda: Valley(stage), settings=options))()  # type: ignore[arg-type]
    return stage.steps - before
