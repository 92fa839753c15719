"""Groups of rows: their keys, the order in which they are shown, and their labels."""

from collections.abc import Sequence
from typing import TypeAlias

from faregate.render.wording import printable

MAX_GROUPS = 1000
"""Maximum number of groups, because all of them are kept in memory."""

GroupKey: TypeAlias = tuple[str | None, ...]
"""The values of a group of rows in the columns to group by; None stands for a missing value."""

_NO_VALUE = "(none)"
_MAX_LENGTH = 40


def group_order(key: GroupKey) -> list[tuple[bool, str]]:
    """Return a key for sorting groups, which puts missing values last."""
    return [(part is None, part or "") for part in key]


def group_label(key: GroupKey) -> str:
    """Return the values of *key*, separated by commas and safe to print."""
    return key_label([_NO_VALUE if part is None else printable(part) or '""' for part in key])


def key_label(parts: Sequence[str], *, most: int = _MAX_LENGTH) -> str:
    """Return *parts* joined with commas; if that exceeds *most* characters, the longest are shortened.

    >>> key_label(["a name that is far too long", "Mon"], most=20)
    'a name that ..., Mon'
    """
    left = most - 2 * (len(parts) - 1)
    for index, length in enumerate(sorted(map(len, parts))):
        limit = left // (len(parts) - index)
        if length > limit:
            return ", ".join(_cut(part, max(limit, 4)) for part in parts)
        left -= length
    return ", ".join(parts)


def _cut(part: str, limit: int) -> str:
    return part if len(part) <= limit else f"{part[: limit - 3]}..."
