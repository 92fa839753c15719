"""Whatever customers do, in any order, every response equals the model's prediction.

``FAREGATE_STEPS`` is the total number of steps, ``FAREGATE_SEED`` reproduces a walk, with ``FAREGATE_SHRINK``
in a shorter form if possible.
"""

import os
import sys
import traceback
from itertools import count
from secrets import randbelow
from time import monotonic

import pytest

from support.model.stage import Stage
from support.model.walking import walk

PARTS = 2
STEPS = int(os.environ.get("FAREGATE_STEPS", "400"))
SEED = os.environ.get("FAREGATE_SEED")

SECONDS = 30
"""Steps between progress reports of a long run."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_response_equals_the_prediction_of_the_model(stage: Stage, part: int) -> None:
    first = randbelow(10**9) if SEED is None else int(SEED)
    plays = 1 + min(39, STEPS // PARTS // 60)
    made, told = 0, monotonic()

    for number in count(first):
        try:
            made += walk(stage, number, plays=plays)
        except BaseException as error:
            error.add_note(
                f"after {made} steps; repeat it with FAREGATE_SEED={number} FAREGATE_STEPS={STEPS}"
            )
            traceback.print_exc()  # the other part may run for hours
            raise
        if made * PARTS >= STEPS:
            break
        if monotonic() - told > SECONDS:
            told = monotonic()
            sys.stderr.write(f"part {part}: {made} of {STEPS // PARTS} steps, seeds {first} to {number}\n")

    sys.stderr.write(f"part {part}: {made} steps, seeds {first} to {number}\n")
    assert made * PARTS >= STEPS
