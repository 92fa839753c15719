"""``faregate serve``: serves checkouts over HTTP."""

import logging
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

import click

from faregate_cli.program import FILE, example_epilog, setting
from faregate_cli.serve.log_formats import LogFormat
from faregate_cli.serve.variables import misspelt_variables
from faregate_cli.terminal.errors import database_named, errors_listed

_log = logging.getLogger("faregate.cli")

_PORT = click.IntRange(min=0, max=65535)


class _Seconds(click.FloatRange):
    """A number of seconds from 0; NaN, which compares with nothing, is refused too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        return self.fail(f"{value!r} is not a number.", param, ctx) if isnan(seconds) else seconds


@click.command(epilog=example_epilog("faregate serve --dev"))
@setting("--host", "The address to listen on.", default="127.0.0.1")
@setting("--port", "The port to listen on.", type=_PORT, default=8000, metavar="N")
@setting(
    "--management-port",
    "Serve /metrics, /docs and /openapi.json on this port only.",
    type=_PORT,
    metavar="N",
)
@setting("--management-host", "The address of the management port.", default="127.0.0.1")
@setting(
    "--workers",
    "Processes that share the port; worker n, from 0, has the management port plus n.",
    type=click.IntRange(min=1, max=256),
    default=1,
    metavar="N",
)
@setting(
    "--database",
    "The database, created and migrated at startup.",
    default="sqlite:///faregate.db",
    metavar="URL",
)
@setting(
    "--migrate/--no-migrate",
    "Migrate the database at startup, or refuse one that faregate migrate has not prepared.",
    default=True,
)
@setting("--catalogue", "The catalogue, in YAML or JSON.  [default: demo]", type=FILE, metavar="FILE")
@setting("--public-url", "The URL at which customers reach the service.", metavar="URL")
@setting("--identity-issuer", "The issuer of the ID tokens that identify customers.", metavar="URL")
@setting("--identity-audience", "The audience that these tokens must have.", metavar="NAME")
@setting(
    "--identity-jwks",
    "The keys of the issuer.  [default: from its discovery document]",
    metavar="URL",
)
@setting(
    "--identity-groups-claim",
    "The claim of these tokens with the customer's groups, for discounts.  [default: no groups]",
    metavar="NAME",
)
@setting(
    "--token-secret-file",
    "The secret that signs the service's own tokens, at least 32 bytes; or FAREGATE_TOKEN_SECRET. "
    "Repeat it for old secrets, whose tokens stay valid.",
    type=FILE,
    multiple=True,
    metavar="FILE",
)
@setting(
    "--sandbox/--no-sandbox",
    "Let customers pay through the sandbox, without real money.  [default: without an issuer]",
    default=None,
)
@setting("--showcase", "Show the service on a page at /, as with --dev.", is_flag=True)
@setting("--allow-demo", "Also sell the demo resort to other machines.", is_flag=True)
@setting(
    "--allow-no-public-url",
    "Serve other machines even with an issuer but without a public URL.",
    is_flag=True,
)
@setting("--expose-metrics", "Serve /metrics to other machines, too.", is_flag=True)
@setting("--expose-docs", "Serve /docs and /openapi.json to other machines, too.", is_flag=True)
@setting(
    "--trusted-proxies",
    "Proxies trusted to set X-Forwarded-For and -Proto: addresses and networks, comma-separated.",
    default="127.0.0.1",
    metavar="ADDRESSES",
)
@setting(
    "--compression/--no-compression",
    "Compress responses of 4 kB or more; not needed behind a proxy that compresses.",
    default=True,
)
@setting(
    "--max-requests",
    "Changes and payments worked on at once by this process; 0: any number, and none is refused.",
    type=click.IntRange(min=0),
    default=16,
    metavar="N",
)
@setting(
    "--request-seconds",
    "Deadline of a change or payment, in seconds from the arrival of its body.",
    type=_Seconds(min=0),
    default=15,
    metavar="SECONDS",
)
@setting(
    "--log-format",
    "Log lines as JSON or text; auto: text in a terminal.",
    type=click.Choice([each.value for each in LogFormat]),
    default=LogFormat.AUTO.value,
)
@setting(
    "--log-requests",
    "Log every request, not only those that fail or take over a second.",
    is_flag=True,
)
@setting(
    "--drain-seconds",
    "Seconds to keep serving after the signal to stop, while /health/ready warns load balancers.",
    type=_Seconds(min=0),
    default=0,
    metavar="SECONDS",
)
@setting(
    "--application",
    "A function that makes the application from the settings, with a gateway or ticket issuer.  "
    "[default: the standard service]",
    metavar="MODULE:FUNCTION",
)
@click.option(
    "--dev",
    is_flag=True,
    help="Give anyone a token for any account, on this machine only: see faregate token.",
)
@click.pass_context
def serve(  # noqa: PLR0913 - each of them is an option of the command
    context: click.Context,
    /,
    *,
    host: str,
    port: int,
    management_port: int | None,
    management_host: str,
    workers: int,
    database: str,
    migrate: bool,
    catalogue: Path | None,
    token_secret_file: tuple[Path, ...],
    allow_demo: bool,
    allow_no_public_url: bool,
    expose_metrics: bool,
    expose_docs: bool,
    max_requests: int,
    request_seconds: float,
    log_format: str,
    log_requests: bool,
    drain_seconds: float,
    application: str | None,
    dev: bool,
    **settings: Any,
) -> None:
    """Serve checkouts over HTTP until interrupted."""
    from faregate_cli.serve.exposure import AllowedExposures
    from faregate_cli.serve.listening import listening_host
    from faregate_cli.serve.logs import set_up_logs
    from faregate_cli.serve.ports import Ports
    from faregate_cli.serve.preparing import ServeOptions, prepared
    from faregate_cli.serve.serving import serve as run
    from faregate_http.options import AdmissionLimits
    from faregate_server.settings import Settings

    set_up_logs(log_format=LogFormat(log_format), logs_requests=log_requests)
    for warning in misspelt_variables(context):
        _log.warning(warning)
    with errors_listed("nothing was served"):
        host = listening_host(host)
    ports = Ports(host, port, management_host, management_port, workers)
    allowed = AllowedExposures(
        demo=allow_demo, no_public_url=allow_no_public_url, metrics=expose_metrics, documents=expose_docs
    )
    options = ServeOptions(
        ports,
        database,
        catalogue,
        token_secret_file,
        application,
        is_development=dev,
        allowed=allowed,
    )
    settings_with = partial(
        Settings,
        has_metrics=ports.has_metrics(allowed),
        has_documents=ports.has_documents(allowed),
        database=database,
        migrates=migrate,
        catalogue=catalogue,
        is_development=dev,
        admission=AdmissionLimits(max_requests, request_seconds=request_seconds) if max_requests else None,
        **settings,
    )
    with errors_listed("nothing was served"), database_named(database):
        chosen = prepared(options, settings_with)
        run(chosen, ports=ports, drain_seconds=drain_seconds)
