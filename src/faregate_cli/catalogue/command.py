"""``faregate catalogue check`` and ``audit``: check a catalogue file, and search for price anomalies."""

from datetime import UTC, datetime
from pathlib import Path

import click

from faregate_cli.program import FILE, example_epilog, json_option
from faregate_cli.terminal.errors import errors_listed


@click.group()
def catalogue() -> None:
    """Work with catalogue files."""


@catalogue.command(epilog=example_epilog("faregate catalogue check resort.yaml"))
@click.argument("file", type=FILE, help="A catalogue in YAML or JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the number of entries by kind.")
def check(file: Path, *, as_json: bool) -> None:
    """Check a catalogue and list all of its faults."""
    from faregate_cli.catalogue.contents import print_contents, read_catalogue

    with errors_listed("the catalogue is not valid", as_json=as_json):
        contents = read_catalogue(file)
    print_contents(contents, as_json=as_json)


@catalogue.command(
    "audit", epilog=example_epilog("faregate catalogue audit resort.yaml --wanted wanted.yaml")
)
@click.argument("file", type=FILE, required=False, help="A catalogue in YAML or JSON.  [default: demo]")
@click.option(
    "--baskets",
    type=click.IntRange(min=1),
    default=1000,
    metavar="N",
    help="The number of random baskets.",
)
@click.option("--seed", default=1, metavar="N", help="The seed of the random numbers.")
@click.option(
    "--at",
    metavar="INSTANT",
    help="Orders are placed in the week from INSTANT.  [default: now]",
)
@click.option(
    "--wanted",
    type=FILE,
    metavar="FILE",
    help="The findings that are wanted, each with a reason, in YAML or JSON.",
)
@json_option("text")
def _audit(
    file: Path | None, *, baskets: int, seed: int, at: str | None, wanted: Path | None, as_json: bool
) -> None:
    """Search a catalogue for prices that invite tricks, and for rules that never apply.

    Random baskets show if an order costs less when it is split, has one unit more, lasts longer or begins a
    day earlier, and if a code makes it dearer. Each finding is printed with its baskets. The exit status is
    1 if a finding is not listed as wanted.
    """
    from random import Random

    from faregate.audit import audit
    from faregate.files.fields.types import read_instant
    from faregate.render.wording import instant_label, printable
    from faregate_cli.catalogue.audit import audit_json, audit_lines, read_wanted
    from faregate_cli.catalogue.contents import read_catalogue
    from faregate_cli.terminal.amounts import counted
    from faregate_cli.terminal.json_text import print_json

    with errors_listed("nothing was audited", as_json=as_json):
        instant = datetime.now(UTC) if at is None else read_instant(at)
        reasons, read = read_wanted(wanted), read_catalogue(file)
    draw = Random(seed).randrange  # noqa: S311 - a search, no secret
    findings = audit(read, at=instant, draw=draw, baskets=baskets)
    if as_json:
        found = audit_json(findings, reasons)
        print_json({"at": instant.isoformat(), "baskets": baskets, "seed": seed, "findings": found})
    else:
        number, ordered = counted(len(findings), "finding"), instant_label(instant)
        summary = f"{number} · {counted(baskets, 'basket')} · seed {seed} · {ordered}"
        click.echo("\n".join(map(printable, [*audit_lines(findings, reasons), summary])))
    if any(finding.identifier not in reasons for finding in findings):
        raise click.exceptions.Exit(1)
