"""Whatever customers do, in whatever order, every answer is the one foreseen on paper.

``FAREGATE_STEPS`` says how many steps are made in all, ``FAREGATE_SEED`` repeats a walk, with
``FAREGATE_SHRINK`` by a shorter way if there is one.
"""

from __future__ import annotations

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
"""So often a long run tells how far it is."""


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_customers_do_is_foreseen(stage: Stage, part: int) -> None:
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
            traceback.print_exc()  # the other part may go on for hours
            raise
        if made * PARTS >= STEPS:
            break
        if monotonic() - told > SECONDS:
            told = monotonic()
            sys.stderr.write(f"part {part}: {made} of {STEPS // PARTS} steps, seeds {first} to {number}\n")

    sys.stderr.write(f"part {part}: {made} steps, seeds {first} to {number}\n")
    assert made * PARTS >= STEPS
