"""Strict parser for untrusted JSON: RFC 8259, exact numbers, no duplicate keys, limited size and depth.

Limits: 10,000 arrays and objects in at most 32 levels; numbers with at most 64 significant digits between
1e-308 and 1e+309. The caller limits the length of the body; time and memory grow linearly with it.
"""

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import NamedTuple, TypeAlias, TypeVar

from faregate.errors import InvalidInput, Issue, Loc
from faregate_http.protocol.problems import pointer_to

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | Decimal | bool | None"
"""A decoded value: whole numbers, including ``1.0``, are ``int``; other numbers are ``Decimal``."""

_Found = TypeVar("_Found")

MAX_LEVELS = 32
MAX_CONTAINERS = 10_000
MAX_DIGITS = 64
MAX_EXPONENT = 308
# Bounds the size of the response to a large invalid body.
MAX_ISSUES = 20
MAX_POINTER_CHARACTERS = 200
MAX_KEY_CHARACTERS = 40

OUT_OF_RANGE = "number out of range"
TOO_MANY = f"more than {MAX_CONTAINERS} arrays and objects"
TOO_DEEP = f"nested deeper than {MAX_LEVELS} levels"
LONE_SURROGATE = "lone surrogate in a string"


class InvalidJson(InvalidInput):
    """The body is not JSON or exceeds the limits of this module.

    ``issues`` has at most 20 entries, each located at the faulty value or, if its pointer is too long, at an
    enclosing value.
    """

    code = "invalid-json"


def read_json(body: bytes) -> Json:
    """Return the value of *body*, a JSON text in UTF-8.

    >>> read_json(b'{"price": 79.90, "quantity": 2}')
    {'price': Decimal('79.90'), 'quantity': 2}
    >>> read_json(b'{"items": [{"id": 1, "id": 2}]}')
    Traceback (most recent call last):
    ...
    faregate_http.protocol.json_input.InvalidJson: items[0].id: duplicate key "id"
    >>> read_json(b"[NaN, 1e400]")
    Traceback (most recent call last):
    ...
    faregate_http.protocol.json_input.InvalidJson: [0]: NaN is not a JSON number; [1]: number out of range

    Raises:
        InvalidJson: wrong encoding, byte order mark, wrong syntax, duplicate key, lone surrogate, or a
           limit of this module is exceeded.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise InvalidJson("not UTF-8") from None
    if len(text) > MAX_CONTAINERS and text.count("[") + text.count("{") > MAX_CONTAINERS:
        # Brackets in strings are counted too, so that this check takes little time.
        raise InvalidJson(TOO_MANY)
    reader = _Reader()
    value = reader.read(text)
    if reader.has_refused or _may_be_wrong(text):
        issues = [Issue(_near(loc), message) for loc, message in islice(_issues(value, ()), MAX_ISSUES)]
        if issues:
            raise InvalidJson(*issues)
    return value  # type: ignore[return-value]  # a value without issues is Json


def _may_be_wrong(text: str) -> bool:
    """Return True if *text* has escaped surrogates or enough brackets to be nested too deeply."""
    return "\\ud" in text or "\\uD" in text or text.count("[") + text.count("{") > MAX_LEVELS


class _Pairs(list[tuple[str, object]]):
    """The members of a JSON object that has duplicate keys, as pairs in order."""


class _Refused(NamedTuple):
    message: str


# Created once: a body can have two hundred thousand of them.
_BEYOND = _Refused(OUT_OF_RANGE)
_CONSTANTS = {name: _Refused(f"{name} is not a JSON number") for name in ("NaN", "Infinity", "-Infinity")}


class _Reader:
    """Parser for one JSON text; ``has_refused`` is True if it has rejected a value."""

    has_refused = False

    def read(self, text: str) -> object:
        decoder = json.JSONDecoder(
            object_pairs_hook=self._members,
            parse_int=self._whole,
            parse_float=self._fraction,
            parse_constant=lambda name: self._refused(_CONSTANTS[name]),
        )
        try:
            return decoder.decode(text)
        except json.JSONDecodeError as error:
            raise InvalidJson(_syntax_message(error, text)) from None
        except RecursionError:
            raise InvalidJson(TOO_DEEP) from None

    def _refused(self, found: _Found) -> _Found:
        self.has_refused = True
        return found

    def _members(self, pairs: list[tuple[str, object]]) -> dict[str, object] | _Pairs:
        members = dict(pairs)
        return members if len(members) == len(pairs) else self._refused(_Pairs(pairs))

    def _whole(self, digits: str) -> int | _Refused:
        # Checked before int(), whose time grows with the square of the length.
        if len(digits) > MAX_DIGITS and len(digits.lstrip("-")) > MAX_DIGITS:
            return self._refused(_BEYOND)
        return int(digits)

    def _fraction(self, digits: str) -> Decimal | int | _Refused:
        try:
            number = Decimal(digits)
        except InvalidOperation:  # the exponent exceeds the range of Decimal
            return self._refused(_BEYOND)
        # NaN if the caller's decimal context does not trap overflow.
        is_small = -MAX_EXPONENT <= number.adjusted() <= MAX_EXPONENT and not number.is_nan()
        is_short = len(digits) <= MAX_DIGITS or len(number.as_tuple().digits) <= MAX_DIGITS
        if not (is_small and is_short):
            return self._refused(_BEYOND)
        is_whole = number.adjusted() < MAX_DIGITS and number == number.to_integral_value()
        return int(number) if is_whole else number


def _syntax_message(error: json.JSONDecodeError, text: str) -> str:
    if not text:
        return "empty body"
    if text.startswith("\ufeff"):
        return "byte order mark"
    return error.msg[0].lower() + error.msg[1:]


def _issues(data: object, loc: Loc) -> Iterator[tuple[Loc, str]]:
    match data:
        case str() if not _is_text(data):
            yield loc, LONE_SURROGATE
        case _Refused(message):
            yield loc, message
        case dict() | list() if len(loc) == MAX_LEVELS:
            yield loc, TOO_DEEP
        case dict():
            yield from _member_issues(data.items(), loc)
        case _Pairs():
            yield from _member_issues(data, loc)
        case list():
            for index, value in enumerate(data):
                yield from _issues(value, (*loc, index))


def _member_issues(pairs: Iterable[tuple[str, object]], loc: Loc) -> Iterator[tuple[Loc, str]]:
    seen: set[str] = set()
    repeated: set[str] = set()
    for key, value in pairs:
        if not _is_text(key):
            yield loc, LONE_SURROGATE
        elif key not in seen:
            seen.add(key)
            yield from _issues(value, (*loc, key))
        elif key not in repeated:
            repeated.add(key)
            yield (*loc, key), f"duplicate key {_quoted(key)}"


def _is_text(string: str) -> bool:
    try:
        string.encode()
    except UnicodeEncodeError:
        return False
    return True


def _quoted(key: str) -> str:
    shown = key if len(key) <= MAX_KEY_CHARACTERS else key[:MAX_KEY_CHARACTERS] + "…"
    return json.dumps(shown, ensure_ascii=False)


def _near(loc: Loc) -> Loc:
    """Return *loc*, or the nearest enclosing location with a pointer that is short enough."""
    while len(pointer_to(loc)) > MAX_POINTER_CHARACTERS:
        loc = loc[:-1]
    return loc
