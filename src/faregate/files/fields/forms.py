"""Forms, in which a file writes values, and the faults of values that are not in their form."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from faregate.arguments.suggestions import did_you_mean
from faregate.errors import InvalidInput, Issue
from faregate.files.fields.currencies import Currencies
from faregate.files.text.issues import shown


class Form(ABC):
    """The form in which a file writes the values of one type."""

    __slots__ = ()

    @abstractmethod
    def read(self, value: Any, units: Currencies) -> Any:
        """Return the value that the plain *value* of a file stands for; amounts are in *units*.

        Raises:
            ValueError: *value* is invalid; as ``Faults`` if it has several faults, or a fault inside it.
        """

    def inside(self, part: str | int) -> tuple[str | int, "Form"]:
        """Return the key in the file of a field or index in the value, and the form of what it holds."""
        return part, self


@dataclass(slots=True)
class Fault:
    """An issue in a value, at ``path`` from its innermost part outwards, with an optional suggestion."""

    message: str
    path: list[str | int] = field(default_factory=list)
    word: str = ""
    known: Callable[[], Iterable[str]] = tuple
    """Words to suggest instead of ``word``."""

    def issue(self) -> Issue:
        """Return the issue with its suggestion, which is too slow for faults that are not listed."""
        return Issue((*reversed(self.path),), self.message + did_you_mean(self.word, self.known()))


class Faults(ValueError):
    """The faults of a value, each with its location inside it."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


def faults_of(error: ValueError, *part: str | int) -> list[Fault]:
    """Return the faults of the value that was refused with *error* and is at *part* of another."""
    faults = error.faults if isinstance(error, Faults) else [Fault(str(error))]
    for fault in faults:
        fault.path += part
    return faults


def unlike(expected: str, value: object) -> InvalidInput:
    """Return the error for a *value* of a file that is not as *expected*."""
    return InvalidInput(f"expected {expected}, got {shown(value)}")


@dataclass(frozen=True, slots=True)
class Plain(Form):
    """The form of values that ``function`` reads from a plain value."""

    function: Callable[[Any], Any]

    def read(self, value: Any, units: Currencies) -> Any:
        return self.function(value)


@dataclass(frozen=True, slots=True)
class Integer(Form):
    """The form of whole numbers from ``least`` to ``most``."""

    least: int
    most: int

    def read(self, value: Any, units: Currencies) -> int:
        if type(value) is not int:
            raise unlike("a whole number", value)
        if value < self.least:
            raise unlike(f"at least {self.least}", value)
        if value > self.most:
            raise unlike(f"at most {self.most}", value)
        return value


@dataclass(frozen=True, slots=True)
class String(Form):
    """The form of strings of at most ``longest`` characters that ``check`` accepts; it returns the value."""

    longest: int
    check: Callable[[str], str] = str

    def read(self, value: Any, units: Currencies) -> str:
        if type(value) is not str:
            raise unlike("text", value)
        if len(value) > self.longest:
            raise unlike(f"at most {self.longest} characters", value)
        return self.check(value)
