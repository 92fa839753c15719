"""The check of displayed commands that cannot be run here."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from faregate_cli.app import app
from support.documentation.pages import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS_A_COMMAND = re.compile(r"[();<>|&]+")
_SETS_A_VARIABLE = re.compile(r"\w+=.*")


def faults_of_shell(text: str) -> str:
    """Return the errors of the command lines in *text*; empty if they are valid."""
    done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
    found = (fault_of_words(words) for words in _commands(text))
    return "\n".join(filter(None, [done.stderr, *found]))


def fault_of_words(words: list[str]) -> str:
    """Return an unknown make target, command, option or module in a command."""
    match words:
        case ["make", *targets]:
            missing = {target for target in targets if re.fullmatch(r"[\w-]+", target)} - make_targets()
            return f"unknown make target {', '.join(sorted(missing))}" if missing else ""
        case ["faregate", *rest]:
            return _fault_of_call(click.Context(app), rest)
        case [python, "-m", module, *_] if python.endswith(("python", "python3")):
            return "" if _is_module(module) else f"unknown module {module}"
        case [python, path, *_] if python.endswith(("python", "python3")) and path.endswith(".py"):
            return "" if (ROOT / path).is_file() else f"missing file {path}"
        case _:
            return ""


@cache
def make_targets() -> frozenset[str]:
    """Return the named targets of the Makefile."""
    return frozenset(
        re.findall(r"^([a-z][\w-]*):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    )


def _fault_of_call(context: click.Context, words: list[str]) -> str:
    """Follow the subcommands, then check that the command has every option."""
    command = context.command
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        if words[0] not in command.list_commands(context):
            return f"faregate does not have the command {words[0]}"
        inner: Any = command.get_command(context, words[0])
        return _fault_of_call(click.Context(inner, context), words[1:])
    known = {option for parameter in command.params for option in parameter.opts}
    asked = {word.strip("[]").partition("=")[0] for word in words if word.strip("[]").startswith("--")}
    unknown = asked - known - {"--help"}
    return f"faregate {command.name} does not have {', '.join(sorted(unknown))}" if unknown else ""


def _is_module(name: str) -> bool:
    path, top = ROOT / name.replace(".", "/"), name.partition(".")[0]
    if (ROOT / top).is_dir():  # a module of the repository, regardless of sys.path
        return path.is_dir() or path.with_suffix(".py").is_file()
    return importlib.util.find_spec(top) is not None


def _commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command without leading variable assignments."""
    for line in text.replace("\\\n", " ").splitlines():
        words: list[str] = []
        for word in [*_words(line), ";"]:
            if not _ENDS_A_COMMAND.fullmatch(word):
                words += [word] if words or not _SETS_A_VARIABLE.fullmatch(word) else []
                continue
            yield words
            words = []


def _words(line: str) -> list[str]:
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    try:
        return list(reader)
    except ValueError:  # a quotation over several lines, which bash has checked
        return []
