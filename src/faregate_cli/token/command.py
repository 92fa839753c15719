"""``faregate token`` and ``channel-key``: credentials to try a service with."""

from __future__ import annotations

from typing import Annotated

import typer

from faregate_cli.program import OF_SERVICE, command, json_option
from faregate_cli.terminal.errors import errors_listed
from faregate_cli.terminal.json_text import Json, json_text, print_either

_DEMO_WEBSHOP = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"

_Json = Annotated[bool, json_option("a line")]


@command(
    OF_SERVICE,
    short_help="Log in at a development server and print the token.",
    example="faregate token --subject ada --email ada@example.org",
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
    from faregate_cli.token.login import Login, log_in

    with errors_listed("nobody is logged in", as_json=as_json):
        session = log_in(Login(server, channel, subject, email, channel_key))
    if not as_json:
        typer.echo(f"{session.type} {session.account}, for {session.seconds} seconds:", err=True)
    fields: Json = {
        "type": session.type,
        "account": session.account,
        "expiresIn": int(session.seconds),
        "token": session.token,
    }
    print_either(session.token, fields, as_json=as_json)


@command(
    OF_SERVICE,
    name="channel-key",
    short_help="Make a key of a protected channel.",
    example="faregate channel-key --name till-3",
)
def channel_key(
    *,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the catalogue calls it.")] = "till",
    as_json: _Json = False,
) -> None:
    """Make a key of a protected channel: the header for its clients, and the entry for the catalogue.

    The key is shown this once. The catalogue has its hash, from which nobody can tell the key.
    """
    from faregate_server.channel_keys import new_key

    key, digest = new_key()
    lines = f"service-channel-key: {key}\nkeys: [{{name: {json_text(name)}, sha256: {json_text(digest)}}}]"
    print_either(lines, {"key": key, "entry": {"name": name, "sha256": digest}}, as_json=as_json)
