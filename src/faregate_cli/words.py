"""Reading the words of a call: every fault is kept, so that all of them are told together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from faregate.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Words", "overwriting"]

_T = TypeVar("_T")
_Default = TypeVar("_Default")


def overwriting(option: str, output: Path, inputs: Iterable[Path | str | None]) -> list[str]:
    """That *output* is one of the *inputs*, if it is."""
    if any(file is not None and _is_same(output, Path(file)) for file in inputs):
        return [f"{option}: {output} is what is read: name another file"]
    return []


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return False


class Words:
    """Reads the words of a call and keeps what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def note(self, option: str, *faults: str) -> None:
        """Keep what is wrong with an option."""
        self.faults += [f"{option}: {fault}" for fault in faults]

    def read(
        self, option: str, reader: Callable[[str], _T], word: str | None, default: _Default
    ) -> _T | _Default:
        """What *word* says; the default where there is none, or a faulty one."""
        if word is None:
            return default
        try:
            return reader(word)
        except InvalidInput as error:
            self.note(option, *error.faults)
            return default

    def read_each(self, option: str, reader: Callable[[str], _T], words: Iterable[str]) -> tuple[_T, ...]:
        """What *words* say, each thing once."""
        said = [self.read(option, reader, word, None) for word in words]
        return tuple(dict.fromkeys(value for value in said if value is not None))
