"""How a body was refused, and whether what was read is the same in value and in type."""

from __future__ import annotations

import pytest

from faregate_http.protocol.json_input import InvalidJson, read_json


def refusal(body: bytes) -> InvalidJson:
    with pytest.raises(InvalidJson) as refused:
        read_json(body)
    return refused.value


def same(one: object, other: object) -> bool:
    """Equal in value and in type, all the way down."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return one == other
