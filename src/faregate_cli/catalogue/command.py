"""``faregate catalogue check`` and ``audit``: check a catalogue file, and search for price anomalies."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_group

from faregate_cli.program import OF_CATALOGUES, example_epilog, json_option
from faregate_cli.terminal.errors import errors_listed

app = typer.Typer(
    name="catalogue",
    help="Work with catalogue files.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command(epilog=example_epilog("faregate catalogue check resort.yaml"))
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A catalogue in YAML or JSON.")],
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: the number of entries by kind.")
    ] = False,
) -> None:
    """Check a catalogue and list all of its faults."""
    from faregate_cli.catalogue.contents import print_contents, read_catalogue

    with errors_listed("the catalogue is not valid", as_json=as_json):
        catalogue = read_catalogue(file)
    print_contents(catalogue, as_json=as_json)


@app.command("audit", epilog=example_epilog("faregate catalogue audit resort.yaml --wanted wanted.yaml"))
def _audit(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="A catalogue in YAML or JSON.  [default: demo]", show_default=False
        ),
    ] = None,
    *,
    baskets: Annotated[int, typer.Option(metavar="N", min=1, help="The number of random baskets.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random numbers.")] = 1,
    at: Annotated[
        str | None,
        typer.Option(metavar="INSTANT", help="Orders are placed in the week from INSTANT.  [default: now]"),
    ] = None,
    wanted: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The findings that are wanted, each with a reason, in YAML or JSON."
        ),
    ] = None,
    as_json: Annotated[bool, json_option("text")] = False,
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
        typer.echo("\n".join(map(printable, [*audit_lines(findings, reasons), summary])))
    if any(finding.identifier not in reasons for finding in findings):
        raise typer.Exit(1)


catalogue = get_group(app)
catalogue.rich_help_panel = OF_CATALOGUES
