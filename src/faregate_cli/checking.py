"""Findings of a sweep as lines or as JSON, with what was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from faregate.render.wording import printable
from faregate_cli.json_text import json_text

if TYPE_CHECKING:
    from faregate_http.consistency.sweep import Sweep

__all__ = ["print_findings", "print_findings_json"]


def print_findings(sweep: Sweep) -> bool:
    """Print a line for each finding as it is found, then how much was looked at; whether there was none."""
    found = 0
    for rule, subject, text in sweep:
        found += 1
        typer.echo(printable(f"{rule}: {subject}: {text}"))
    looked_at = ", ".join(f"{count} {name}" for name, count in sweep.looked_at.items())
    typer.echo(f"looked at {looked_at}: {found} finding{'' if found == 1 else 's'}")
    return not found


def print_findings_json(sweep: Sweep) -> bool:
    """Print all of it as one JSON object; whether there was no finding."""
    found = [finding._asdict() for finding in sweep]
    typer.echo(json_text({"lookedAt": dict(sweep.looked_at), "findings": found}))
    return not found
