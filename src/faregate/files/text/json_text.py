"""JSON text as plain values: exact numbers, and no duplicate keys or deep nesting."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from faregate.errors import Issue
from faregate.files.text.issues import FileIssue, InvalidFile
from faregate.files.text.nodes import MAX_LEVELS, MAX_VALUES, exact_number

if TYPE_CHECKING:
    from faregate.errors import Loc


def read_json(text: str) -> tuple[object, list[FileIssue]]:
    """Return the values in a JSON text and an issue for each duplicate key; the first value is kept.

    ``NaN`` and ``Infinity``, which are not JSON, are returned as Decimals; no field accepts them.

    Raises:
        InvalidFile: the text is not JSON, is nested too deeply, or has too many values.
    """
    try:
        data = json.loads(
            text,
            object_pairs_hook=_Pairs,
            parse_int=exact_number,
            parse_float=exact_number,
            parse_constant=Decimal,
        )
    except json.JSONDecodeError as error:
        raise InvalidFile([FileIssue(Issue((), error.msg), error.lineno, error.colno)]) from None
    except RecursionError:
        raise _too_deep(()) from None
    reader = _Reader()
    return reader.plain(data, ()), reader.issues


class _Pairs(list[tuple[str, object]]):
    """The pairs of an object, including duplicate keys."""


class _Reader:
    """A converter of pairs to dicts that collects issues."""

    def __init__(self) -> None:
        self.issues: list[FileIssue] = []
        self.values = 0

    def plain(self, data: object, loc: Loc) -> object:
        self.values += 1
        if self.values > MAX_VALUES:
            raise InvalidFile.of(f"has more than {MAX_VALUES} values")
        if len(loc) > MAX_LEVELS:
            raise _too_deep(loc)
        if isinstance(data, _Pairs):
            return self._mapping(data, loc)
        if isinstance(data, list):
            return [self.plain(value, (*loc, index)) for index, value in enumerate(data)]
        return data

    def _mapping(self, pairs: _Pairs, loc: Loc) -> dict[str, object]:
        mapping: dict[str, object] = {}
        for key, value in pairs:
            if key in mapping:
                self.issues.append(FileIssue(Issue((*loc, key), "duplicate key")))
            else:
                mapping[key] = self.plain(value, (*loc, key))
        return mapping


def _too_deep(loc: Loc) -> InvalidFile:
    return InvalidFile.of(f"nested deeper than {MAX_LEVELS} levels", loc=loc[:3])
