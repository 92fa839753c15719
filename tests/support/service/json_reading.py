"""Refusals of JSON bodies, and equality in value and type."""

from typing import NamedTuple

import pytest

from faregate_http.protocol.json_input import InvalidJson, read_json
from faregate_http.protocol.problems import pointer_to


class Refusal(NamedTuple):
    """The first issue of a body, and message and pointer of each issue."""

    reason: str
    pointer: str
    found: tuple[tuple[str, str], ...]
    error: InvalidJson


def refusal(body: bytes) -> Refusal:
    with pytest.raises(InvalidJson) as refused:
        read_json(body)
    return described(refused.value)


def described(error: InvalidJson) -> Refusal:
    found = tuple((issue.message, pointer_to(issue.loc)) for issue in error.issues)
    return Refusal(*found[0], found, error)


def same(one: object, other: object) -> bool:
    """Return whether two values are equal in value and type at every level."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return one == other
