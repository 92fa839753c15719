"""The raw values of a file: dicts, lists and scalars with their line numbers."""

from decimal import Decimal, InvalidOperation

from faregate.errors import Loc

MAX_BYTES = 16 << 20
"""Maximum size of a file in bytes."""

MAX_LEVELS = 64
"""Maximum depth of nesting."""

MAX_VALUES = 500_000
"""Maximum number of values in a file; a value repeated by an alias is counted each time."""

_MAX_INTEGER = 64
_MAX_NUMBER = 1000


class LinedDict(dict[str, object]):
    """A dict with the line number of each key.

    ``size`` is the number of values in it, including nested values and itself; ``depth`` is the number of
    levels.
    """

    __slots__ = ("depth", "lines", "size")

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}
        self.size = 1
        self.depth = 1


class LinedList(list[object]):
    """A list with the line number of each value; ``size`` and ``depth`` are as in ``LinedDict``."""

    __slots__ = ("depth", "lines", "size")

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []
        self.size = 1
        self.depth = 1


def line_at(data: object, loc: Loc) -> int | None:
    """Return the line of the value at *loc* or of the nearest enclosing value, or None without lines."""
    line = 1 if isinstance(data, LinedDict | LinedList) else None
    for part in loc:
        match data, part:
            case LinedDict(), str() if part in data:
                line, data = data.lines[part], data[part]
            case LinedList(), int() if part < len(data):
                line, data = data.lines[part], data[part]
            case _:
                break
    return line


def exact_number(text: str) -> int | Decimal:
    """Return the exact value of a decimal number; numbers too long for any amount or id become Infinity.

    >>> exact_number("12"), exact_number("79.50"), exact_number("1e9999999999999999999")
    (12, Decimal('79.50'), Decimal('Infinity'))
    """
    if len(text) <= _MAX_INTEGER and text.lstrip("+-").isdigit():
        return int(text)
    try:
        return Decimal(text if len(text) <= _MAX_NUMBER else "Infinity")
    except InvalidOperation:
        return Decimal("Infinity")
