"""JSON text as plain values: numbers exactly as written, double keys and deep nesting refused."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from faregate.files.text.faults import FaultyFile, FileFault
from faregate.files.text.nodes import MOST_LEVELS, MOST_VALUES, exact_number

if TYPE_CHECKING:
    from faregate.errors import Loc


def read_json(text: str, name: str) -> tuple[object, list[FileFault]]:
    """The values of a JSON text, and its double keys; of those the first counts.

    ``NaN`` and ``Infinity``, which are no JSON, come out as such and are no amount anywhere.

    Raises:
        FaultyFile: no JSON, nested too deeply, or too many values.
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
        raise FaultyFile(name, [FileFault(error.msg, line=error.lineno, column=error.colno)]) from None
    except RecursionError:
        raise FaultyFile(name, [_too_deep(())]) from None
    reader = _Reader(name)
    return reader.plain(data, ()), reader.faults


class _Pairs(list[tuple[str, object]]):
    """An object as it is written, double keys included."""


class _Reader:
    """Turns pairs into dicts and notes what is wrong with them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[FileFault] = []
        self.values = 0

    def plain(self, data: object, place: Loc) -> object:
        self.values += 1
        if self.values > MOST_VALUES:
            raise FaultyFile(self.name, [FileFault(f"holds more than {MOST_VALUES} values")])
        if len(place) > MOST_LEVELS:
            raise FaultyFile(self.name, [_too_deep(place)])
        if isinstance(data, _Pairs):
            return self._mapping(data, place)
        if isinstance(data, list):
            return [self.plain(value, (*place, index)) for index, value in enumerate(data)]
        return data

    def _mapping(self, pairs: _Pairs, place: Loc) -> dict[str, object]:
        mapping: dict[str, object] = {}
        for key, value in pairs:
            if key in mapping:
                self.faults.append(FileFault("the key stands here twice", (*place, key)))
            else:
                mapping[key] = self.plain(value, (*place, key))
        return mapping


def _too_deep(place: Loc) -> FileFault:
    return FileFault(f"nested deeper than {MOST_LEVELS} levels", place[:3])
