"""The commands: read, call the core, print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faregate_cli import service_commands
from faregate_cli.failures import faults_listed, give_up
from faregate_cli.program import EPILOG, OF_CATALOGUES, OF_PRICES, Program, example
from faregate_cli.reprice import command as reprice_command

if TYPE_CHECKING:
    from faregate.render.receipts import Receipt
    from faregate_cli.insights.groups import FileInsights
    from faregate_cli.price.bill import Bill
    from faregate_cli.renewals.periods import Renewals
    from faregate_cli.validities.calendars import Question

__all__ = ["app"]

app = typer.Typer(
    cls=Program,
    help="Exact prices for ticketing checkouts, and the reason for every amount.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
catalogues = typer.Typer(help="Work with catalogue files.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(reprice_command.app)
app.add_typer(service_commands.app)
app.add_typer(catalogues, name="catalogue", rich_help_panel=OF_CATALOGUES)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from importlib.metadata import version

        typer.echo(f"faregate {version('faregate')}, time zones of tzdata {version('tzdata')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Options of the whole program."""


@app.command(rich_help_panel=OF_PRICES, epilog=example("faregate price examples/basket.json --explain"))
def price(
    basket: Annotated[str, typer.Argument(metavar="BASKET", help="A file, or - for standard input.")],
    *,
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What is for sale, in YAML or JSON.  [default: demo]")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say which rule gave or took each part of every amount.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a receipt.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the receipt to FILE as a web page.")
    ] = None,
) -> None:
    """Price a basket and print its receipt."""
    from faregate.errors import InvalidInput
    from faregate_cli.catalogues import read_catalogue
    from faregate_cli.price.bill import read_bill
    from faregate_cli.words import overwriting

    with faults_listed("nothing is priced", as_json=as_json):
        if html is not None and (faults := overwriting("--html", html, [basket, catalogue])):
            raise InvalidInput(*faults)
        bill = read_bill(basket, read_catalogue(catalogue))
    if html is not None:
        _write_page(html, bill.receipt, as_json=as_json)
    if as_json:
        _print_json(bill, is_explained=explain)
    else:
        _print_receipt(bill, is_explained=explain)


@app.command(
    rich_help_panel=OF_PRICES,
    short_help="Print a calendar of a product: prices and places.",
    epilog=example("faregate validities day-ticket --from 2026-12-01 --to 2026-12-31"),
)
def validities(  # noqa: PLR0913 - each of them is an option of the command
    product: Annotated[str, typer.Argument(metavar="PRODUCT", help="The id or the slug of a product.")],
    *,
    first_day: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="The first day.  [default: today]")
    ] = None,
    last_day: Annotated[
        str | None,
        typer.Option("--to", metavar="DATE", help="The last day.  [default: the end of the month after]"),
    ] = None,
    duration: Annotated[
        list[str] | None,
        typer.Option(metavar="PERIOD", help="How long, as in P3D; give several for several calendars."),
    ] = None,
    quantity: Annotated[int, typer.Option(metavar="N", min=1, help="How many are to be booked at once.")] = 1,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="A variant, or all; give several for all of them.  [default: the standard one]"
        ),
    ] = None,
    available: Annotated[bool, typer.Option("--available", help="Show only what can be booked.")] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="INSTANT", help="When it is asked, as in 2026-12-01T09:15:00+01:00.  [default: now]"
        ),
    ] = None,
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What is for sale, in YAML or JSON.  [default: demo]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a calendar.")] = False,
) -> None:
    """Print a calendar of a product: what a day costs, and for how many there are places.

    Nothing counts as sold: what is, only a running service knows. Without a variant the calendar is about
    the standard one, without a period about the first that the product has.
    """
    from faregate_cli.catalogues import read_catalogue
    from faregate_cli.validities.asking import Asked, read_question

    asked = Asked(
        product, first_day, last_day, duration or (), variant or (), quantity, only_available=available, at=at
    )
    with faults_listed("nothing is shown", as_json=as_json):
        question = read_question(asked, read_catalogue(catalogue))
        if as_json:
            _print_validities_json(question)
        else:
            _print_calendars(question)


@app.command(
    rich_help_panel=OF_PRICES,
    epilog=example(
        "faregate renewals --rule yearly-on:11-01 --first-period prorate --price 365 --currency CHF"
    ),
)
def renewals(  # noqa: PLR0913 - each of them is an option of the command
    *,
    rule: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="One like every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01.",
        ),
    ],
    ordered: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help="A date, or a date-time with or without offset, as in 2026-09-15T10:30.  [default: now]",
        ),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where days begin, as IANA names it.  [default: Europe/Zurich]"),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How many whole periods.")] = 12,
    first_period: Annotated[
        str | None,
        typer.Option(
            metavar="wait|prorate|full|free",
            help="What becomes of the days before the first given date: it begins only then, or at once and"
            " they cost their part, a whole period or nothing.  [default: wait]",
        ),
    ] = None,
    minimal_run_periods: Annotated[
        int, typer.Option(metavar="N", min=0, help="After how many whole periods it may end.")
    ] = 0,
    price: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="What a whole period costs, as in 365.00.")
    ] = None,
    currency: Annotated[str | None, typer.Option(metavar="CODE", help="The currency of the price.")] = None,
    day_count: Annotated[
        str | None,
        typer.Option(
            metavar="actual|fixed30|30e/360|every-month-30",
            help="How days are counted where they cost their part.  [default: actual]",
        ),
    ] = None,
    month_end: Annotated[
        str | None,
        typer.Option(
            metavar="clamp|forward|omit|reject",
            help="Where a day falls that a month lacks: on its last day, on the first of the next, nowhere,"
            " or it is an error. A subscription is always clamped: the others give dates only, and go with"
            " neither terms nor a price.  [default: clamp]",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Print when a subscription begins, is billed and may end.

    Each period has a line. Whole ones are numbered from 1; number 0 are the days before the first given
    date, where it begins with them.
    """
    from faregate_cli.renewals.asking import AskedRenewals, read_renewals

    asked = AskedRenewals(
        rule=rule,
        ordered=ordered,
        zone=zone,
        periods=count,
        month_end=month_end,
        first_period=first_period,
        minimal_run_periods=minimal_run_periods,
        day_count=day_count,
        price=price,
        currency=currency,
    )
    with faults_listed("nothing is shown", as_json=as_json):
        found = read_renewals(asked)
    if as_json:
        _print_renewals_json(found)
    else:
        _print_renewals(found)


@app.command(
    rich_help_panel=OF_PRICES,
    short_help="Print how prices lie, and how one compares.",
    epilog=example("faregate insights prices.csv --price price --currency CHF --by weekday"),
)
def insights(  # noqa: PLR0913 - its options
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table of prices, in CSV or Parquet.")],
    *,
    price: Annotated[str, typer.Option(metavar="COLUMN", help="The column of the prices.")],
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column to group by; give several for groups of all of them."),
    ] = None,
    benchmark: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="A price to judge by those of the file, as in 79.50.")
    ] = None,
    lower: Annotated[
        str, typer.Option(metavar="PERCENT", help="Below the price of so many percent a price is low.")
    ] = "25",
    upper: Annotated[
        str, typer.Option(metavar="PERCENT", help="Above the price of so many percent a price is high.")
    ] = "75",
    currency: Annotated[
        str | None, typer.Option(metavar="CODE", help="The currency of the prices, as in CHF.  [required]")
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option(metavar="minor|major", help="What integers in a Parquet file are: 7950, or 79."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Print how the prices of a file lie, and how a price compares with them.

    A CSV file names its columns in the first row, and its prices are major units as in 79.50. In a Parquet
    file decimals are major units, and --unit says what integers are. Every row counts: one at fault is
    listed, and then nothing is shown.
    """
    from faregate_cli.insights.asking import AskedInsights, read_inquiry
    from faregate_cli.insights.reading import read_insights

    asked = AskedInsights(file, price, by or (), benchmark, lower, upper, currency, unit)
    with faults_listed("nothing is shown", as_json=as_json):
        found = read_insights(read_inquiry(asked))
    if as_json:
        _print_insights_json(found)
    else:
        _print_insights(found)


@catalogues.command(epilog=example("faregate catalogue check resort.yaml"))
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A catalogue in YAML or JSON.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: how much there is of what.")] = False,
) -> None:
    """Say whether a catalogue is sound, or list every fault in it."""
    from faregate_cli.catalogues import print_contents, print_contents_json, read_catalogue

    with faults_listed("the catalogue is not sound", as_json=as_json):
        sold = read_catalogue(file)
    (print_contents_json if as_json else print_contents)(sold)


def _print_json(bill: Bill, *, is_explained: bool) -> None:
    from faregate_cli.json_text import json_text
    from faregate_cli.price.as_json import priced_json

    typer.echo(json_text(priced_json(bill, is_explained=is_explained)))


def _print_validities_json(question: Question) -> None:
    from faregate_cli.json_text import json_text
    from faregate_cli.validities.as_json import validities_json

    typer.echo(json_text(validities_json(question)))


def _print_calendars(question: Question) -> None:
    from faregate_cli.look import output
    from faregate_cli.validities.calendars import calendars
    from faregate_cli.validities.view import print_calendar

    console = output()
    for position, calendar in enumerate(calendars(question)):
        if position:
            console.print()
        print_calendar(console, calendar)


def _print_renewals_json(found: Renewals) -> None:
    from faregate_cli.json_text import json_text
    from faregate_cli.renewals.as_json import renewals_json

    typer.echo(json_text(renewals_json(found)))


def _print_renewals(found: Renewals) -> None:
    from faregate_cli.look import output
    from faregate_cli.renewals.view import print_renewals

    print_renewals(output(), found)


def _print_insights_json(found: FileInsights) -> None:
    from faregate_cli.insights.as_json import insights_json
    from faregate_cli.json_text import json_text

    typer.echo(json_text(insights_json(found)))


def _print_insights(found: FileInsights) -> None:
    from faregate_cli.insights.view import print_insights
    from faregate_cli.look import output

    print_insights(output(), found)


def _print_receipt(bill: Bill, *, is_explained: bool) -> None:
    from faregate_cli.look import output
    from faregate_cli.price.receipt_view import print_receipt
    from faregate_cli.price.trace_view import print_explanation

    console = output(amount_width=bill.amount_width)
    print_receipt(console, bill)
    if is_explained:
        print_explanation(console, bill)


def _write_page(file: Path, paper: Receipt, *, as_json: bool) -> None:
    head = '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Receipt</title>'
    try:
        file.write_text(f"{head}\n{paper.html()}\n</html>\n", encoding="utf-8")
    except OSError as error:
        said = f"{file}: cannot be written: {error.strerror}; name another file after --html"
        give_up("nothing is priced", said, as_json=as_json)
