"""The commands that run the service, and help whoever tries it."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from faregate_cli.failures import database_named, faults_listed
from faregate_cli.json_text import Json, json_text
from faregate_cli.program import OF_SERVICE, example
from faregate_cli.serve.log_formats import LogFormat
from faregate_cli.serve.variables import misspelt_variables

__all__ = ["app"]

_log = logging.getLogger("faregate.cli")

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

_DEMO_WEBSHOP = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"

_Database = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        envvar="FAREGATE_DATABASE",
        help="As in sqlite:////var/checkouts.db or postgresql://user@host/name.",
    ),
]

_Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a line.")]


@app.command(rich_help_panel=OF_SERVICE, epilog=example("faregate serve --dev"))
def serve(  # noqa: PLR0913 - each of them is an option of the command
    context: typer.Context,
    *,
    host: Annotated[
        str, typer.Option(envvar="FAREGATE_HOST", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, envvar="FAREGATE_PORT", help="The port to listen on.")
    ] = 8000,
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="FAREGATE_DATABASE",
            help="Where checkouts are kept; made and migrated at the start.",
        ),
    ] = "sqlite:///faregate.db",
    catalogue: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="FAREGATE_CATALOGUE",
            help="What is for sale, in YAML or JSON.  [default: demo]",
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="FAREGATE_PUBLIC_URL",
            help="Where customers reach the service from outside.",
        ),
    ] = None,
    identity_issuer: Annotated[
        str | None,
        typer.Option(
            metavar="URL", envvar="FAREGATE_IDENTITY_ISSUER", help="Whose ID tokens open and find accounts."
        ),
    ] = None,
    identity_audience: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", envvar="FAREGATE_IDENTITY_AUDIENCE", help="To whom these tokens must be issued."
        ),
    ] = None,
    identity_jwks: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="FAREGATE_IDENTITY_JWKS",
            help="The keys of the issuer.  [default: where its discovery document says]",
        ),
    ] = None,
    token_secret_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="FAREGATE_TOKEN_SECRET_FILE",
            help="What signs the service's own tokens, at least 32 bytes; or set FAREGATE_TOKEN_SECRET.",
        ),
    ] = None,
    sandbox: Annotated[
        bool | None,
        typer.Option(
            "--sandbox/--no-sandbox",
            envvar="FAREGATE_SANDBOX",
            help="Let customers pay through the sandbox, which takes no money.  [default: without an issuer]",
        ),
    ] = None,
    showcase: Annotated[
        bool,
        typer.Option(
            "--showcase",
            envvar="FAREGATE_SHOWCASE",
            help="Show the service on a page at /; as with --dev.",
        ),
    ] = False,
    allow_demo: Annotated[
        bool,
        typer.Option(
            "--allow-demo",
            envvar="FAREGATE_ALLOW_DEMO",
            help="Sell the demo resort to other machines too.",
        ),
    ] = False,
    allow_no_public_url: Annotated[
        bool,
        typer.Option(
            "--allow-no-public-url",
            envvar="FAREGATE_ALLOW_NO_PUBLIC_URL",
            help="Serve other machines with an issuer, but without a public URL.",
        ),
    ] = False,
    expose_metrics: Annotated[
        bool,
        typer.Option(
            "--expose-metrics",
            envvar="FAREGATE_EXPOSE_METRICS",
            help="Answer /metrics to other machines too.",
        ),
    ] = False,
    expose_docs: Annotated[
        bool,
        typer.Option(
            "--expose-docs",
            envvar="FAREGATE_EXPOSE_DOCS",
            help="Answer /docs and /openapi.json to other machines too.",
        ),
    ] = False,
    trusted_proxies: Annotated[
        str,
        typer.Option(
            metavar="ADDRESSES",
            envvar="FAREGATE_TRUSTED_PROXIES",
            help="Who is believed in X-Forwarded-For and -Proto: addresses and networks of proxies, "
            "with commas.",
        ),
    ] = "127.0.0.1",
    log_format: Annotated[
        LogFormat,
        typer.Option(
            envvar="FAREGATE_LOG_FORMAT",
            help="Lines of the log as JSON or text; auto: as text in a terminal.",
        ),
    ] = LogFormat.AUTO,
    log_requests: Annotated[
        bool,
        typer.Option(
            "--log-requests",
            envvar="FAREGATE_LOG_REQUESTS",
            help="Log every request, not only those that fail or take more than a second.",
        ),
    ] = False,
    drain_seconds: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="SECONDS",
            envvar="FAREGATE_DRAIN_SECONDS",
            help="When told to stop, go on for so long while /health/ready says that it stops, so that load "
            "balancers notice.",
        ),
    ] = 0,
    application: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            envvar="FAREGATE_APPLICATION",
            help="What makes the application of the settings, to bring a gateway or an issuer of tickets.  "
            "[default: the service as it is]",
        ),
    ] = None,
    dev: Annotated[
        bool,
        typer.Option(
            "--dev", help="Give anyone the token of anyone, on this machine only: see faregate token."
        ),
    ] = False,
) -> None:
    """Serve checkouts over HTTP until interrupted."""
    from faregate_cli.serve.exposure import Asked
    from faregate_cli.serve.listening import listening_host
    from faregate_cli.serve.logs import set_up_logs
    from faregate_cli.serve.preparing import Wishes, prepared
    from faregate_cli.serve.serving import serve as run
    from faregate_http.settings import Settings, is_loopback

    set_up_logs(log_format=log_format, logs_requests=log_requests)
    for warning in misspelt_variables(context):
        _log.warning(warning)
    with faults_listed("nothing is served"):
        host = listening_host(host)
    asked = Asked(demo=allow_demo, no_public_url=allow_no_public_url)
    wishes = Wishes(
        host, database, catalogue, token_secret_file, application, is_development=dev, asked=asked
    )
    settings_with = partial(
        Settings,
        has_metrics=expose_metrics or is_loopback(host),
        has_documents=expose_docs or is_loopback(host),
        database=database,
        catalogue=catalogue,
        identity_issuer=identity_issuer,
        identity_audience=identity_audience,
        identity_jwks=identity_jwks,
        is_development=dev,
        public_url=public_url,
        sandbox=sandbox,
        showcase=showcase,
        trusted_proxies=trusted_proxies,
    )
    with faults_listed("nothing is served"), database_named(database):
        chosen = prepared(wishes, lambda secret: settings_with(token_secret=secret))
        run(chosen, host=host, port=port, drain_seconds=drain_seconds)


@app.command(
    rich_help_panel=OF_SERVICE,
    short_help="Bring the tables of a database up to date.",
    epilog=example("faregate migrate sqlite:///checkouts.db"),
)
def migrate(database: _Database, *, as_json: _Json = False) -> None:
    """Bring the tables of a database up to date, as serve does at its start; what is in them stays."""
    from faregate_cli.migrating import migration

    with database_named(database, as_json=as_json):
        done = migration(database)
    _print(done.text, {"from": done.found, "to": done.reached}, as_json=as_json)


@app.command(
    rich_help_panel=OF_SERVICE,
    short_help="Look for what does not go together in a database.",
    epilog=example("faregate check sqlite:///checkouts.db --json"),
)
def check(
    database: _Database = "sqlite:///faregate.db",
    *,
    catalogue: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="FAREGATE_CATALOGUE",
            help="What is for sale now: open checkouts are priced by it, and places compared.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: what was looked at, and every finding.")
    ] = False,
) -> None:
    """Look for what does not go together in a database, also while it is served; nothing in it is changed.

    Status 0: all goes together. 1: something does not. 2: it cannot be looked at.
    """
    from faregate_cli.catalogues import read_catalogue
    from faregate_cli.checking import print_findings, print_findings_json
    from faregate_http.consistency.sweep import sweep

    with faults_listed("nothing is checked", status=2, as_json=as_json):
        sold = None if catalogue is None else read_catalogue(catalogue)
    with database_named(database, status=2, as_json=as_json):
        is_clean = (print_findings_json if as_json else print_findings)(sweep(database, catalogue=sold))
    if not is_clean:
        raise typer.Exit(1)


@app.command(
    rich_help_panel=OF_SERVICE,
    short_help="Copy a SQLite database, also while it is served.",
    epilog=example("faregate backup sqlite:///checkouts.db copy.db"),
)
def backup(
    database: Annotated[
        str, typer.Argument(metavar="URL", help="A SQLite database, as in sqlite:////var/checkouts.db.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy; it must not exist yet.")],
    *,
    as_json: _Json = False,
) -> None:
    """Copy a SQLite database as it is now, also while it is served; of PostgreSQL pg_dump does it."""
    from faregate_http.store.backup import back_up

    with database_named(database, as_json=as_json):
        size = back_up(database, file)
    _print(f"{file}: {size} bytes", {"file": str(file), "bytes": size}, as_json=as_json)


@app.command(
    rich_help_panel=OF_SERVICE,
    short_help="Log in at a development server and print the token.",
    epilog=example("faregate token --subject ada --email ada@example.org"),
)
def token(
    *,
    server: Annotated[
        str, typer.Option(metavar="URL", help="A server on this machine that was started with --dev.")
    ] = "http://127.0.0.1:8000",
    subject: Annotated[str, typer.Option(metavar="NAME", help="Whose token it is.")] = "developer",
    email: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Under which address.")] = None,
    channel: Annotated[
        str, typer.Option(metavar="UUID", help="On which channel.  [default: the webshop of the demo]")
    ] = _DEMO_WEBSHOP,
    channel_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="A key of the channel, if it is protected."),
    ] = None,
    as_json: _Json = False,
) -> None:
    """Log in at a development server and print the token to go on with, as its last line."""
    from faregate_cli.logging_in import Login, log_in

    with faults_listed("nobody is logged in", as_json=as_json):
        found = log_in(Login(server, channel, subject, email, channel_key))
    if not as_json:
        typer.echo(f"{found.type} {found.account}, for {found.seconds} seconds:", err=True)
    seconds = int(found.seconds)
    told: Json = {"type": found.type, "account": found.account, "expiresIn": seconds, "token": found.token}
    _print(found.token, told, as_json=as_json)


@app.command(
    "channel-key",
    rich_help_panel=OF_SERVICE,
    short_help="Make a key of a protected channel.",
    epilog=example("faregate channel-key --name till-3"),
)
def channel_key(
    *,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the catalogue calls it.")] = "till",
    as_json: _Json = False,
) -> None:
    """Make a key of a protected channel: the header for its clients, and the entry for the catalogue.

    The key is shown this once. The catalogue has its hash, from which nobody can tell the key.
    """
    from faregate_http.channels import new_key

    key, digest = new_key()
    lines = f"service-channel-key: {key}\nkeys: [{{name: {json_text(name)}, sha256: {json_text(digest)}}}]"
    _print(lines, {"key": key, "entry": {"name": name, "sha256": digest}}, as_json=as_json)


def _print(line: str, value: Json, *, as_json: bool) -> None:
    typer.echo(json_text(value) if as_json else line)
