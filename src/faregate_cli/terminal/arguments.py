"""A reader of command-line arguments that collects all faults in order to report them together."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from faregate.errors import InvalidInput

_T = TypeVar("_T")
_Default = TypeVar("_Default")


class ArgumentReader:
    """A reader of command-line arguments that collects faults, which `check` then raises together."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def refuse(self, option: str, *faults: str) -> None:
        """Add *faults* to the collected ones, each with the name of *option*."""
        self.faults += [f"{option}: {fault}" for fault in faults]

    def check(self) -> None:
        """Raise all collected faults as one error.

        Raises:
            InvalidInput: a fault was added.
        """
        if self.faults:
            raise InvalidInput(*self.faults)

    def read(
        self, option: str, reader: Callable[[str], _T], text: str | None, default: _Default
    ) -> _T | _Default:
        """Return *text* parsed by *reader*, or *default* if *text* is None or faulty; collect the faults."""
        if text is None:
            return default
        try:
            return reader(text)
        except InvalidInput as error:
            self.refuse(option, *error.messages)
            return default

    def read_each(self, option: str, reader: Callable[[str], _T], texts: Iterable[str]) -> tuple[_T, ...]:
        """Return *texts* parsed by *reader*, without duplicates or invalid ones; collect the errors."""
        values = [self.read(option, reader, text, None) for text in texts]
        return tuple(dict.fromkeys(value for value in values if value is not None))

    def attempt(self, step: Callable[[], _T]) -> _T | None:
        """Return the result of *step*; if it raises `InvalidInput`, collect the faults and return None."""
        try:
            return step()
        except InvalidInput as error:
            self.faults += error.messages
            return None

    def check_file(self, file: Path, suffixes: Iterable[str]) -> None:
        """Collect a fault unless *file* exists and its name ends in one of *suffixes*."""
        if file.suffix.lower() not in suffixes:
            self.faults.append(f"{file}: expected a file named {', '.join(suffixes)}")
        elif file.is_dir():
            self.faults.append(f"{file}: is a directory, expected a file")
        elif not file.exists():
            self.faults.append(f"{file}: the file does not exist")


def check_not_overwritten(option: str, output: Path | None, inputs: Iterable[Path | str | None]) -> None:
    """Check that the file *output* is not also one of the *inputs*.

    Raises:
        InvalidInput: the output is one of the inputs; the message names *option*.
    """
    if output and any(file is not None and _is_same(output, Path(file)) for file in inputs):
        raise InvalidInput(f"{option}: {output} is also an input: name another file")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist
        return False
