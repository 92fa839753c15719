"""Environment variables that look like settings and are not."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import typer

_OURS = "FAREGATE_"

_READ_ELSEWHERE = ("FAREGATE_TOKEN_SECRET",)
"""Beside those that stand for an option of a command: what a command line would show to everybody."""


def misspelt_variables(context: typer.Context) -> Iterator[str]:
    """A warning for each variable that is nearly one that the command of *context* reads."""
    known = {*_READ_ELSEWHERE, *(str(parameter.envvar) for parameter in context.command.params)}
    for name in sorted(os.environ):
        if name.startswith(_OURS) and name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.85)
            if near:
                yield f"{name} is no setting: did you mean {near[0]}?"
