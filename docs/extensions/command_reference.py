"""The command-line reference as Markdown, generated from the ``--help`` texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from faregate_cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["command_line"]

_END_OF_HELP = re.compile(r"\s*\[(?:env var: \w+)?(?:; )?(?:default: (.*))?\]$")


def command_line() -> str:
    """Return all commands with their arguments and options."""
    return "\n\n".join(_sections(click.Context(app, info_name="faregate"))) + "\n"


def _sections(context: click.Context) -> Iterator[str]:
    """Yield the section of a command, or those of its subcommands."""
    command = context.command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner: Any = command.get_command(context, name)
            yield from _sections(click.Context(inner, context, name))
        return
    yield f"## {context.command_path}"
    yield f"```text\n{context.command_path} {' '.join(command.collect_usage_pieces(context))}\n```"
    yield _text(command.help)
    yield _table([_row(parameter, context) for parameter in command.params])


def _row(parameter: click.Parameter, context: click.Context) -> list[str]:
    """Return the name, help and default of a parameter."""
    text, default = _parted(_text(parameter.help))
    variable = f" Also `{parameter.envvar}`." if parameter.envvar else ""
    return [f"`{_name(parameter, context)}`", text + variable, default or _default(parameter)]


def _name(parameter: click.Parameter, context: click.Context) -> str:
    """Return the longest name, and the placeholder of the value, if there is one."""
    if not isinstance(parameter, click.Option):
        return parameter.human_readable_name
    name = max(parameter.opts, key=len)
    return name if parameter.is_flag else f"{name} {parameter.make_metavar(context)}"


def _parted(text: str) -> tuple[str, str]:
    """Split the help from the default at its end."""
    found = _END_OF_HELP.search(text)
    return (text[: found.start()], found[1] or "") if found else (text, "")


def _default(parameter: click.Parameter) -> str:
    default = parameter.to_info_dict()["default"]
    if parameter.required:
        return "*required*"
    return "" if default is None or default is False else str(default)


def _table(rows: list[list[str]]) -> str:
    lines = [
        ["", "", "default"],
        ["---"] * 3,
        *([cell.replace("|", "\\|") for cell in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(text: str | None) -> str:
    return " ".join((text or "").replace("\b", "").split())
