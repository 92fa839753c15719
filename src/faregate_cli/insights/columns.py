"""Which columns of a file are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.errors import InvalidInput
from faregate_catalogue.faults import shown
from faregate_catalogue.suggestions import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate_cli.insights.groups import Inquiry

__all__ = ["column_positions"]

_SHOWN_NAMES = 10


def column_positions(inquiry: Inquiry, names: Sequence[str]) -> list[int]:
    """Where among *names* the price is, and then what it is grouped by.

    Raises:
        InvalidInput: lists the columns that are not there, or there twice.
    """
    asked = [("--price", inquiry.price), *[("--by", name) for name in inquiry.by]]
    faults = [
        f"{option}: there is no column {shown(name)}{_hint(name, names)}"
        if name not in names
        else f"{option}: there are {names.count(name)} columns {shown(name)}"
        for option, name in asked
        if names.count(name) != 1
    ]
    if faults:
        raise InvalidInput(*faults)
    return [names.index(name) for _, name in asked]


def _hint(name: str, names: Sequence[str]) -> str:
    some = ", ".join(names[:_SHOWN_NAMES]) + (" …" if len(names) > _SHOWN_NAMES else "")
    return did_you_mean(name, names) or f", only {some or 'none'}"
