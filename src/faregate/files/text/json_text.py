"""Parsing of JSON into plain values with exact numbers; duplicate keys and deep nesting are refused."""

import json
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from typing import Any

from faregate.errors import Issue, Loc
from faregate.files.text.issues import FileIssue, InvalidFile
from faregate.files.text.nodes import MAX_LEVELS, MAX_VALUES, exact_number

_CONTAINERS = (dict, list)
_MAX_SHARED = 4096
"""Size of the cache that lets equal numbers in a file share one object."""


def read_json(text: str) -> tuple[object, list[FileIssue]]:
    """Return the values in a JSON text and an issue for each duplicate key; the first value is kept.

    ``NaN`` and ``Infinity``, which are not JSON, are returned as Decimals; no field accepts them.

    Raises:
        InvalidFile: the text is not JSON, is nested too deeply, or has too many values.
    """
    # Locations take time and memory, so the text is read with them only if something is wrong.
    with suppress(_DuplicateKey):
        data = _loaded(text, _without_duplicates)
        if _is_within_limits(data):
            return data, []
    reader = _Reader()
    return reader.plain(_loaded(text, _Pairs), ()), reader.issues


class _DuplicateKey(Exception):
    pass


def _loaded(text: str, of_pairs: Callable[[list[tuple[str, object]]], object]) -> object:
    number = lru_cache(_MAX_SHARED)(exact_number)
    try:
        return json.loads(
            text,
            object_pairs_hook=of_pairs,
            parse_int=number,
            parse_float=number,
            parse_constant=Decimal,
        )
    except json.JSONDecodeError as error:
        raise InvalidFile([FileIssue(Issue((), error.msg), error.lineno, error.colno)]) from None
    except RecursionError:
        raise _too_deep(()) from None


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        raise _DuplicateKey
    return mapping


def _is_within_limits(data: Any) -> bool:
    level, values = [data], 1
    for _ in range(MAX_LEVELS + 1):
        containers = [value for value in level if type(value) in _CONTAINERS]
        level = [each for held in containers for each in (held.values() if type(held) is dict else held)]
        values += len(level)
        if values > MAX_VALUES:
            return False
        if not level:
            return True
    return False


class _Pairs(list[tuple[str, object]]):
    """The pairs of keys and values in a JSON object, including duplicate keys."""


class _Reader:
    def __init__(self) -> None:
        self.issues: list[FileIssue] = []
        self.values = 0

    def plain(self, data: object, loc: Loc) -> object:
        self.values += 1
        if self.values > MAX_VALUES:
            raise InvalidFile.of(f"the file has more than {MAX_VALUES} values")
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
