"""JSON from strangers: strict RFC 8259, exact numbers, no key twice, and bounds on everything.

Bounds: 10,000 arrays and objects, 32 levels of them; numbers of at most 64 significant digits between 1e-308
and 1e+309. The length of the body is the caller's to bound; time and memory grow linearly with it.
"""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from faregate.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | Decimal | bool | None"
"""A decoded text: whole numbers are ``int``, those with a fraction or an exponent ``Decimal``."""

MOST_LEVELS = 32
MOST_CONTAINERS = 10_000
MOST_DIGITS = 64
MOST_EXPONENT = 308
# What is said about a bad body stays small, however large the body.
MOST_FAULTS = 20
MOST_POINTER_CHARACTERS = 200
MOST_KEY_CHARACTERS = 40

OUT_OF_RANGE = "number out of range"
TOO_MANY = f"more than {MOST_CONTAINERS} arrays and objects"
TOO_DEEP = f"nested deeper than {MOST_LEVELS} levels"
LONE_SURROGATE = "lone surrogate in a string"


class JsonFault(NamedTuple):
    """One thing that is wrong, and the RFC 6901 pointer to it or, were that long, to what encloses it."""

    reason: str
    pointer: str = ""


class InvalidJson(InvalidInput):
    """A body is no JSON, or more than is accepted.

    ``reason`` and ``pointer`` tell the first fault, ``found`` all of them (20 at most); ``offset`` is
    the byte at which syntax or encoding goes wrong, where that is the fault.
    """

    code = "invalid-json"

    def __init__(
        self, reason: str, pointer: str = "", offset: int | None = None, *, others: Iterable[JsonFault] = ()
    ) -> None:
        self.reason = reason
        self.pointer = pointer
        self.offset = offset
        self.found = (JsonFault(reason, pointer), *others)
        where = "" if offset is None else f" (byte {offset})"
        super().__init__(*(f"{place}: {why}{where}" if place else why + where for why, place in self.found))


def read_json(body: bytes) -> Json:
    """The value that a UTF-8 text of JSON holds.

    >>> read_json(b'{"price": 79.90, "quantity": 2}')
    {'price': Decimal('79.90'), 'quantity': 2}
    >>> read_json(b'{"items": [{"id": 1, "id": 2}]}')
    Traceback (most recent call last):
    ...
    faregate_http.protocol.json_input.InvalidJson: /items/0/id: the key "id" stands here twice
    >>> read_json(b"[NaN, 1e400]")
    Traceback (most recent call last):
    ...
    faregate_http.protocol.json_input.InvalidJson: /0: NaN is no JSON number; /1: number out of range

    Raises:
        InvalidJson: wrong encoding, a byte order mark, wrong syntax, a key twice in an object, a lone
            surrogate, or beyond the bounds of this module.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidJson("not UTF-8", offset=error.start) from None
    if len(text) > MOST_CONTAINERS and text.count("[") + text.count("{") > MOST_CONTAINERS:
        raise InvalidJson(TOO_MANY)  # signs within strings count too: this is about the time it would take
    try:
        return _quickly(text)
    except _OutOfBounds:
        return _carefully(text)


def _parsed(decoder: json.JSONDecoder, text: str) -> object:
    try:
        value: object = decoder.decode(text)
    except json.JSONDecodeError as error:
        offset = len(text[: error.pos].encode())
        raise InvalidJson(_syntax_reason(error, text), offset=offset) from None
    except RecursionError:
        raise InvalidJson(TOO_DEEP) from None
    return value


def _syntax_reason(error: json.JSONDecodeError, text: str) -> str:
    if not text:
        return "empty body"
    if text.startswith("\ufeff"):
        return "byte order mark"
    return error.msg[0].lower() + error.msg[1:]


class _OutOfBounds(Exception):
    """The quick way has met something that the careful way has to look at, or a number is none."""


def _whole(digits: str) -> int:
    # Before int(), whose time grows with the square of the length.
    if len(digits) > MOST_DIGITS and len(digits.lstrip("-")) > MOST_DIGITS:
        raise _OutOfBounds
    return int(digits)


def _fraction(digits: str) -> Decimal:
    try:
        number = Decimal(digits)
    except InvalidOperation:  # the exponent is beyond what Decimal holds
        raise _OutOfBounds from None
    # Where the caller's context does not trap that, it is NaN.
    if not -MOST_EXPONENT <= number.adjusted() <= MOST_EXPONENT or number.is_nan():
        raise _OutOfBounds
    if len(digits) > MOST_DIGITS and len(number.as_tuple().digits) > MOST_DIGITS:
        raise _OutOfBounds
    return number


# ---------------------------------------------------------------- the quick way: almost every body


def _quickly(text: str) -> Json:
    if "\\ud" in text or "\\uD" in text:  # escaped surrogates: pairs, or a lone one
        raise _OutOfBounds
    value: Json = _parsed(_QUICK, text)  # type: ignore[assignment]  # the hooks make nothing else
    if text.count("[") + text.count("{") > MOST_LEVELS and _is_too_deep(value):
        raise _OutOfBounds
    return value


def _is_too_deep(value: Json) -> bool:
    level = [value]
    for _ in range(MOST_LEVELS):
        level = [inner for outer in level for inner in _children(outer) if type(inner) in _CONTAINERS]
        if not level:
            return False
    return True


def _children(value: Json) -> Iterable[Json]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
    return ()


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _OutOfBounds
    return members


def _no_constant(_: str) -> Json:
    raise _OutOfBounds


_CONTAINERS = frozenset({dict, list})
_QUICK = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_whole, parse_float=_fraction, parse_constant=_no_constant
)


# ---------------------------------------------------------------- the careful way: names every fault


class _Pairs(list[tuple[str, object]]):
    """An object as it is written, double keys included."""


class _Refused(NamedTuple):
    """Stands where a number is none, and says why."""

    reason: str


# Made once: a body may hold two hundred thousand of them.
_BEYOND = _Refused(OUT_OF_RANGE)
_CONSTANTS = {name: _Refused(f"{name} is no JSON number") for name in ("NaN", "Infinity", "-Infinity")}


def _or_refused(read: Callable[[str], object]) -> Callable[[str], object]:
    def reading(digits: str) -> object:
        try:
            return read(digits)
        except _OutOfBounds:
            return _BEYOND

    return reading


_CAREFUL = json.JSONDecoder(
    object_pairs_hook=_Pairs,
    parse_int=_or_refused(_whole),
    parse_float=_or_refused(_fraction),
    parse_constant=_CONSTANTS.__getitem__,
)


def _carefully(text: str) -> Json:
    reader = _Reader()
    value = reader.plain(_parsed(_CAREFUL, text))
    reader.raise_found()
    return value


class _Reader:
    """Turns pairs into dicts and notes what is wrong with them."""

    def __init__(self) -> None:
        self.found: list[JsonFault] = []
        # The way to the value at hand: one step for every array and object around it.
        self.steps: list[str | int] = []

    def note(self, reason: str, *last: str) -> None:
        self.found.append(JsonFault(reason, _pointer([*self.steps, *last])))
        if len(self.found) == MOST_FAULTS:
            self.raise_found()

    def raise_found(self) -> None:
        if self.found:
            first, *others = self.found
            raise InvalidJson(*first, others=others)

    def plain(self, data: object) -> Json:
        match data:
            case str():
                return self.string(data)
            case int() | Decimal():
                return data
            case _Refused(reason):
                self.note(reason)
            case list() if len(self.steps) == MOST_LEVELS:
                self.note(TOO_DEEP)
            case _Pairs():
                return self.members(data)
            case list():
                return self.elements(data)
        return None  # null, and what is noted

    def string(self, string: str) -> str:
        if not _is_text(string):
            self.note(LONE_SURROGATE)
        return string

    def elements(self, values: list[object]) -> list[Json]:
        elements: list[Json] = []
        self.steps.append(0)
        for self.steps[-1], value in enumerate(values):
            elements.append(self.plain(value))
        self.steps.pop()
        return elements

    def members(self, pairs: _Pairs) -> dict[str, Json]:
        members: dict[str, Json] = {}
        repeated: set[str] = set()
        for key, value in pairs:
            if not _is_text(key):
                self.note(LONE_SURROGATE)
            elif key not in members:
                members[key] = self.member(key, value)
            elif key not in repeated:
                repeated.add(key)
                self.note(f"the key {_quoted(key)} stands here twice", key)
        return members

    def member(self, key: str, value: object) -> Json:
        self.steps.append(key)
        plain = self.plain(value)
        self.steps.pop()
        return plain


def _is_text(string: str) -> bool:
    try:
        string.encode()
    except UnicodeEncodeError:
        return False
    return True


def _quoted(key: str) -> str:
    shown = key if len(key) <= MOST_KEY_CHARACTERS else key[:MOST_KEY_CHARACTERS] + "…"
    return json.dumps(shown, ensure_ascii=False)


def _pointer(steps: list[str | int]) -> str:
    tokens = ["/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps]
    ends = accumulate(map(len, tokens))
    return "".join(token for token, end in zip(tokens, ends, strict=True) if end <= MOST_POINTER_CHARACTERS)
