"""Environment variables that look like misspelt settings."""

import os
from collections.abc import Iterator
from difflib import get_close_matches

import click

_OURS = "FAREGATE_"

_READ_ELSEWHERE = ("FAREGATE_TOKEN_SECRET",)
"""Variables that have no command-line option, because a command line would reveal their values."""


def misspelt_variables(context: click.Context) -> Iterator[str]:
    """Yield a warning for each environment variable that looks like a misspelling of one that is read."""
    known = {*_READ_ELSEWHERE, *(str(parameter.envvar) for parameter in context.command.params)}
    for name in sorted(os.environ):
        if name.startswith(_OURS) and name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.85)
            if near:
                yield f"{name} is not a setting: did you mean {near[0]}?"
