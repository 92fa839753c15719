"""``faregate serve``: serves checkouts over HTTP."""

import logging
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from faregate_cli.program import OF_SERVICE, command
from faregate_cli.serve.log_formats import LogFormat
from faregate_cli.serve.variables import misspelt_variables
from faregate_cli.terminal.errors import database_named, errors_listed

_log = logging.getLogger("faregate.cli")


def _setting(variable: str, help_text: str, *names: str, **details: Any) -> Any:
    """Return an option that can also be set with the environment variable ``FAREGATE_...``."""
    return typer.Option(*names, envvar=f"FAREGATE_{variable}", help=help_text, **details)


@command(OF_SERVICE, example="faregate serve --dev")
def serve(  # noqa: PLR0913 - each of them is an option of the command
    context: typer.Context,
    *,
    host: Annotated[str, _setting("HOST", "The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, _setting("PORT", "The port to listen on.", min=0, max=65535)] = 8000,
    management_port: Annotated[
        int | None,
        _setting(
            "MANAGEMENT_PORT",
            "Serve /metrics, /docs and /openapi.json on this port only.",
            min=0,
            max=65535,
        ),
    ] = None,
    management_host: Annotated[
        str, _setting("MANAGEMENT_HOST", "The address of the management port.")
    ] = "127.0.0.1",
    workers: Annotated[
        int,
        _setting(
            "WORKERS",
            "Processes that share the port; worker n, from 0, has the management port plus n.",
            min=1,
            max=256,
        ),
    ] = 1,
    database: Annotated[
        str,
        _setting("DATABASE", "The database, created and migrated at startup.", metavar="URL"),
    ] = "sqlite:///faregate.db",
    migrate: Annotated[
        bool,
        _setting(
            "MIGRATE",
            "Migrate the database at startup, or refuse one that faregate migrate has not prepared.",
            "--migrate/--no-migrate",
        ),
    ] = True,
    catalogue: Annotated[
        Path | None,
        _setting("CATALOGUE", "The catalogue, in YAML or JSON.  [default: demo]", metavar="FILE"),
    ] = None,
    public_url: Annotated[
        str | None,
        _setting("PUBLIC_URL", "The URL at which customers reach the service.", metavar="URL"),
    ] = None,
    identity_issuer: Annotated[
        str | None,
        _setting("IDENTITY_ISSUER", "The issuer of the ID tokens that identify customers.", metavar="URL"),
    ] = None,
    identity_audience: Annotated[
        str | None,
        _setting("IDENTITY_AUDIENCE", "The audience that these tokens must have.", metavar="NAME"),
    ] = None,
    identity_jwks: Annotated[
        str | None,
        _setting(
            "IDENTITY_JWKS",
            "The keys of the issuer.  [default: from its discovery document]",
            metavar="URL",
        ),
    ] = None,
    identity_groups_claim: Annotated[
        str | None,
        _setting(
            "IDENTITY_GROUPS_CLAIM",
            "The claim of these tokens with the customer's groups, for discounts.  [default: no groups]",
            metavar="NAME",
        ),
    ] = None,
    token_secret_file: Annotated[
        list[Path] | None,
        _setting(
            "TOKEN_SECRET_FILE",
            "The secret that signs the service's own tokens, at least 32 bytes; or FAREGATE_TOKEN_SECRET. "
            "Repeat it for old secrets, whose tokens stay valid.",
            metavar="FILE",
        ),
    ] = None,
    sandbox: Annotated[
        bool | None,
        _setting(
            "SANDBOX",
            "Let customers pay through the sandbox, without real money.  [default: without an issuer]",
            "--sandbox/--no-sandbox",
        ),
    ] = None,
    showcase: Annotated[
        bool, _setting("SHOWCASE", "Show the service on a page at /, as with --dev.", "--showcase")
    ] = False,
    allow_demo: Annotated[
        bool, _setting("ALLOW_DEMO", "Also sell the demo resort to other machines.", "--allow-demo")
    ] = False,
    allow_no_public_url: Annotated[
        bool,
        _setting(
            "ALLOW_NO_PUBLIC_URL",
            "Serve other machines even with an issuer but without a public URL.",
            "--allow-no-public-url",
        ),
    ] = False,
    expose_metrics: Annotated[
        bool, _setting("EXPOSE_METRICS", "Serve /metrics to other machines, too.", "--expose-metrics")
    ] = False,
    expose_docs: Annotated[
        bool,
        _setting("EXPOSE_DOCS", "Serve /docs and /openapi.json to other machines, too.", "--expose-docs"),
    ] = False,
    trusted_proxies: Annotated[
        str,
        _setting(
            "TRUSTED_PROXIES",
            "Proxies trusted to set X-Forwarded-For and -Proto: addresses and networks, comma-separated.",
            metavar="ADDRESSES",
        ),
    ] = "127.0.0.1",
    compression: Annotated[
        bool,
        _setting(
            "COMPRESSION",
            "Compress responses of 4 kB or more; not needed behind a proxy that compresses.",
            "--compression/--no-compression",
        ),
    ] = True,
    max_requests: Annotated[
        int,
        _setting(
            "MAX_REQUESTS",
            "Changes and payments worked on at once by this process; 0: any number, and none is refused.",
            min=0,
        ),
    ] = 16,
    request_seconds: Annotated[
        float,
        _setting(
            "REQUEST_SECONDS",
            "Deadline of a change or payment, in seconds from the arrival of its body.",
            min=0,
            metavar="SECONDS",
        ),
    ] = 15,
    log_format: Annotated[
        LogFormat,
        _setting("LOG_FORMAT", "Log lines as JSON or text; auto: text in a terminal."),
    ] = LogFormat.AUTO,
    log_requests: Annotated[
        bool,
        _setting(
            "LOG_REQUESTS",
            "Log every request, not only those that fail or take over a second.",
            "--log-requests",
        ),
    ] = False,
    drain_seconds: Annotated[
        float,
        _setting(
            "DRAIN_SECONDS",
            "Seconds to keep serving after the signal to stop, while /health/ready warns load balancers.",
            min=0,
            metavar="SECONDS",
        ),
    ] = 0,
    application: Annotated[
        str | None,
        _setting(
            "APPLICATION",
            "A function that makes the application from the settings, with a gateway or ticket issuer.  "
            "[default: the standard service]",
            metavar="MODULE:FUNCTION",
        ),
    ] = None,
    dev: Annotated[
        bool,
        typer.Option(
            "--dev", help="Give anyone a token for any account, on this machine only: see faregate token."
        ),
    ] = False,
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

    set_up_logs(log_format=log_format, logs_requests=log_requests)
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
        tuple(token_secret_file or ()),
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
        identity_issuer=identity_issuer,
        identity_audience=identity_audience,
        identity_jwks=identity_jwks,
        identity_groups_claim=identity_groups_claim,
        is_development=dev,
        public_url=public_url,
        sandbox=sandbox,
        showcase=showcase,
        trusted_proxies=trusted_proxies,
        compression=compression,
        admission=AdmissionLimits(max_requests, request_seconds=request_seconds) if max_requests else None,
    )
    with errors_listed("nothing was served"), database_named(database):
        chosen = prepared(options, settings_with)
        run(chosen, ports=ports, drain_seconds=drain_seconds)
