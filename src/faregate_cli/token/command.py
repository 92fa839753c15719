"""``faregate token`` and ``channel-key``: make credentials for a service."""

from typing import Annotated

import typer

from faregate_cli.program import OF_SERVICE, command, json_option
from faregate_cli.terminal.errors import errors_listed
from faregate_cli.terminal.json_text import Json, json_text, print_either

_DEMO_WEBSHOP = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"

_Json = Annotated[bool, json_option("a line")]


@command(
    OF_SERVICE,
    short_help="Log in to a development server and print the token.",
    example="faregate token --subject ada --email ada@example.org",
)
def token(
    *,
    server: Annotated[
        str, typer.Option(metavar="URL", help="A server on this machine that was started with --dev.")
    ] = "http://127.0.0.1:8000",
    subject: Annotated[str, typer.Option(metavar="NAME", help="The subject of the token.")] = "developer",
    email: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The email address of the account.")
    ] = None,
    channel: Annotated[
        str,
        typer.Option(
            metavar="UUID", help="The channel.  [default: the webshop of the demo]", show_default=False
        ),
    ] = _DEMO_WEBSHOP,
    channel_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="A key for the channel, if it is protected."),
    ] = None,
    as_json: _Json = False,
) -> None:
    """Log in to a development server and print the token on the last line."""
    from faregate_cli.token.login import Login, log_in

    with errors_listed("login failed", as_json=as_json):
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
    short_help="Make a key for a protected channel.",
    example="faregate channel-key --name till-3",
)
def channel_key(
    *,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="The name of the key in the catalogue.")
    ] = "till",
    as_json: _Json = False,
) -> None:
    """Make a key for a protected channel: the header for its clients, and the entry for the catalogue.

    The key is shown only once. The catalogue holds its hash, which does not reveal the key.
    """
    from faregate_server.channel_keys import new_key

    key, digest = new_key()
    lines = f"service-channel-key: {key}\nkeys: [{{name: {json_text(name)}, sha256: {json_text(digest)}}}]"
    print_either(lines, {"key": key, "entry": {"name": name, "sha256": digest}}, as_json=as_json)
