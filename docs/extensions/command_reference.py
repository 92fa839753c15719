"""The command-line reference as Markdown, generated from the ``--help`` texts."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Any

from typer.main import get_command

from faregate_cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["command_line"]

_KINDS = {int: "N", str: "TEXT"}


def command_line() -> str:
    """Return all commands with their arguments and options."""
    return "\n\n".join(_sections("faregate", get_command(app))) + "\n"


def _sections(name: str, command: Any) -> Iterator[str]:
    """Yield the section of a command, or those of its subcommands."""
    if hasattr(command, "commands"):
        for inner, each in command.commands.items():
            yield from _sections(f"{name} {inner}", each)
        return
    yield f"## {name}"
    yield f"```text\n{name} {' '.join(_usage(command))}\n```"
    yield _text(command.help)
    yield _table([_row(parameter) for parameter in command.params if not getattr(parameter, "hidden", False)])


def _usage(command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    if len(arguments) < len(command.params):
        yield "[OPTIONS]"
    for argument in arguments:
        name = _metavar(argument)[0]
        yield name if argument.required else f"[{name}]"


def _row(parameter: Any) -> list[str]:
    """Return the name, help and default of a parameter."""
    names = [max(parameter.opts, key=len)] if parameter.param_type_name == "option" else []
    text, default = _parted(_text(parameter.help))
    variable = f" Also `{parameter.envvar}`." if parameter.envvar else ""
    return [f"`{' '.join([*names, *_metavar(parameter)])}`", text + variable, default or _default(parameter)]


def _metavar(parameter: Any) -> list[str]:
    """Return the placeholder of the value, if there is one."""
    if getattr(parameter, "is_flag", False):
        return []
    if parameter.metavar:
        return [parameter.metavar]
    kind = parameter.type_descriptor.annotation
    return ["|".join(each.value for each in kind) if issubclass(kind, Enum) else _KINDS[kind]]


def _parted(text: str) -> tuple[str, str]:
    """Split the help from the default at its end."""
    found = re.fullmatch(r"(.*?)\s*\[default: (.*)\]", text)
    return (found[1], found[2]) if found else (text, "")


def _default(parameter: Any) -> str:
    default = getattr(parameter.default, "value", parameter.default)
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
