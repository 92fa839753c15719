"""JSON with exact numbers: a ``Decimal`` is written out digit by digit, never by way of a binary fraction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

__all__ = ["Json", "json_text"]

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | int | Decimal | bool | None
"""What JSON can say."""


def json_text(value: Json, *, indent: str = "") -> str:
    r"""*value* as JSON in ASCII; a number has neither an exponent nor trailing zeros.

    >>> print(json_text({"total": Decimal("49.50"), "free": Decimal("0.00"), "for": ["Zoë"], "of": []}))
    {
      "total": 49.5,
      "free": 0,
      "for": [
        "Zo\u00eb"
      ],
      "of": []
    }
    """
    inner = f"{indent}  "
    match value:
        case Decimal():
            return f"{value.normalize():f}"
        case Mapping():
            entries = [
                f"{inner}{json.dumps(key)}: {json_text(entry, indent=inner)}" for key, entry in value.items()
            ]
            return _bracketed("{}", entries, indent)
        case list() | tuple():
            return _bracketed("[]", [f"{inner}{json_text(entry, indent=inner)}" for entry in value], indent)
        case _:
            return json.dumps(value)


def _bracketed(brackets: str, entries: Sequence[str], indent: str) -> str:
    if not entries:
        return brackets
    body = ",\n".join(entries)
    return f"{brackets[0]}\n{body}\n{indent}{brackets[1]}"
