"""Findings of a database check, as lines or as JSON, with the number of rows checked."""

import click

from faregate.render.wording import printable
from faregate_cli.terminal.json_text import print_json
from faregate_server.audit.sweep import Sweep


def print_findings(sweep: Sweep, *, as_json: bool) -> bool:
    """Print each finding of *sweep* immediately, or all as one JSON object; return True if none is found."""
    if as_json:
        findings = [finding._asdict() for finding in sweep]
        print_json({"lookedAt": dict(sweep.looked_at), "findings": findings})
        return not findings
    count = 0
    for rule, subject, text in sweep:
        count += 1
        click.echo(printable(f"{rule}: {subject}: {text}"))
    looked_at = ", ".join(f"{number} {name}" for name, number in sweep.looked_at.items())
    click.echo(f"checked {looked_at}: {count} finding{'' if count == 1 else 's'}")
    return not count
