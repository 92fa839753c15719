"""``faregate serve``: serve checkouts over HTTP."""

from __future__ import annotations

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
    """Return an option that an environment variable ``FAREGATE_...`` sets, too."""
    return typer.Option(*names, envvar=f"FAREGATE_{variable}", help=help_text, **details)


@command(OF_SERVICE, example="faregate serve --dev")
def serve(  # noqa: PLR0913 - each of them is an option of the command
    context: typer.Context,
    *,
    host: Annotated[str, _setting("HOST", "The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, _setting("PORT", "The port to listen on.", min=0, max=65535)] = 8000,
    database: Annotated[
        str,
        _setting("DATABASE", "Where checkouts are kept; made and migrated at the start.", metavar="URL"),
    ] = "sqlite:///faregate.db",
    catalogue: Annotated[
        Path | None,
        _setting("CATALOGUE", "What is for sale, in YAML or JSON.  [default: demo]", metavar="FILE"),
    ] = None,
    public_url: Annotated[
        str | None,
        _setting("PUBLIC_URL", "Where customers reach the service from outside.", metavar="URL"),
    ] = None,
    identity_issuer: Annotated[
        str | None,
        _setting("IDENTITY_ISSUER", "Whose ID tokens open and find accounts.", metavar="URL"),
    ] = None,
    identity_audience: Annotated[
        str | None,
        _setting("IDENTITY_AUDIENCE", "To whom these tokens must be issued.", metavar="NAME"),
    ] = None,
    identity_jwks: Annotated[
        str | None,
        _setting(
            "IDENTITY_JWKS",
            "The keys of the issuer.  [default: where its discovery document says]",
            metavar="URL",
        ),
    ] = None,
    token_secret_file: Annotated[
        Path | None,
        _setting(
            "TOKEN_SECRET_FILE",
            "What signs the service's own tokens, at least 32 bytes; or set FAREGATE_TOKEN_SECRET.",
            metavar="FILE",
        ),
    ] = None,
    sandbox: Annotated[
        bool | None,
        _setting(
            "SANDBOX",
            "Let customers pay through the sandbox, which takes no money.  [default: without an issuer]",
            "--sandbox/--no-sandbox",
        ),
    ] = None,
    showcase: Annotated[
        bool, _setting("SHOWCASE", "Show the service on a page at /; as with --dev.", "--showcase")
    ] = False,
    allow_demo: Annotated[
        bool, _setting("ALLOW_DEMO", "Sell the demo resort to other machines too.", "--allow-demo")
    ] = False,
    allow_no_public_url: Annotated[
        bool,
        _setting(
            "ALLOW_NO_PUBLIC_URL",
            "Serve other machines with an issuer, but without a public URL.",
            "--allow-no-public-url",
        ),
    ] = False,
    expose_metrics: Annotated[
        bool, _setting("EXPOSE_METRICS", "Answer /metrics to other machines too.", "--expose-metrics")
    ] = False,
    expose_docs: Annotated[
        bool,
        _setting("EXPOSE_DOCS", "Answer /docs and /openapi.json to other machines too.", "--expose-docs"),
    ] = False,
    trusted_proxies: Annotated[
        str,
        _setting(
            "TRUSTED_PROXIES",
            "Who is believed in X-Forwarded-For and -Proto: addresses and networks of proxies, with commas.",
            metavar="ADDRESSES",
        ),
    ] = "127.0.0.1",
    compression: Annotated[
        bool,
        _setting(
            "COMPRESSION",
            "Compress answers from 4 kB on; not behind a proxy that does.",
            "--compression/--no-compression",
        ),
    ] = True,
    log_format: Annotated[
        LogFormat,
        _setting("LOG_FORMAT", "Lines of the log as JSON or text; auto: as text in a terminal."),
    ] = LogFormat.AUTO,
    log_requests: Annotated[
        bool,
        _setting(
            "LOG_REQUESTS",
            "Log every request, not only those that fail or take more than a second.",
            "--log-requests",
        ),
    ] = False,
    drain_seconds: Annotated[
        float,
        _setting(
            "DRAIN_SECONDS",
            "When told to stop, go on for so long while /health/ready says that it stops, so that load "
            "balancers notice.",
            min=0,
            metavar="SECONDS",
        ),
    ] = 0,
    application: Annotated[
        str | None,
        _setting(
            "APPLICATION",
            "What makes the application of the settings, to bring a gateway or an issuer of tickets.  "
            "[default: the service as it is]",
            metavar="MODULE:FUNCTION",
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
    from faregate_cli.serve.exposure import AllowedExposures
    from faregate_cli.serve.listening import listening_host
    from faregate_cli.serve.logs import set_up_logs
    from faregate_cli.serve.preparing import ServeOptions, prepared
    from faregate_cli.serve.serving import serve as run
    from faregate_http.protocol.hosts import is_loopback
    from faregate_server.settings import Settings

    set_up_logs(log_format=log_format, logs_requests=log_requests)
    for warning in misspelt_variables(context):
        _log.warning(warning)
    with errors_listed("nothing is served"):
        host = listening_host(host)
    options = ServeOptions(
        host,
        database,
        catalogue,
        token_secret_file,
        application,
        is_development=dev,
        allowed=AllowedExposures(demo=allow_demo, no_public_url=allow_no_public_url),
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
        compression=compression,
    )
    with errors_listed("nothing is served"), database_named(database):
        chosen = prepared(options, lambda secret: settings_with(token_secret=secret))
        run(chosen, host=host, port=port, drain_seconds=drain_seconds)
