"""``faregate catalogue check``: checks a catalogue file."""

from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_group

from faregate_cli.program import OF_CATALOGUES, example_epilog
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


catalogue = get_group(app)
catalogue.rich_help_panel = OF_CATALOGUES
