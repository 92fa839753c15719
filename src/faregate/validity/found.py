"""Results that are looked up once for many validity periods."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")


class Found(dict[_Key, _Result]):
    """The results of *find* by argument, each computed when first asked for.

    >>> Found(len)["winter"]
    6
    """

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[_Key], _Result]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: _Key) -> _Result:
        result = self[key] = self._find(key)
        return result
