"""Options of all functions for the prices in a frame, declared once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from inspect import Parameter, signature
from typing import Any, TypedDict, TypeVar, get_type_hints

from faregate.arguments.suggestions import did_you_mean
from faregate.errors import InvalidInput
from faregate.frames.columns.prices import Negatives, Nulls, OnError, PriceColumn, PriceUnit
from faregate.money.currency import Currency
from faregate.money.rounding import RoundingMode

Function = TypeVar("Function", bound=Callable[..., Any])


class PriceOptions(TypedDict, total=False):
    """Options for reading and grouping prices in a frame; all but ``by`` are fields of ``PriceColumn``."""

    by: str | Sequence[str]
    """Columns that form the groups; by default, all prices form one group."""
    count: str | None
    currency: Currency | str | None
    currency_column: str | None
    unit: PriceUnit | None
    rounding: RoundingMode | None
    negatives: Negatives
    nulls: Nulls


class TableOptions(PriceOptions, total=False):
    """Options of functions that return a table of prices."""

    on_error: OnError


_DEFAULTS = {field.name: field.default for field in fields(PriceColumn)} | {
    "by": (),
    "on_error": OnError.RAISE,
}


def lists_options(options: type[PriceOptions]) -> Callable[[Function], Function]:
    """Return a decorator that lists *options* in the signature which ``help`` and notebooks show."""
    listed = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=_DEFAULTS[name], annotation=kind)
        for name, kind in get_type_hints(options).items()
    ]

    def decorated(function: Function) -> Function:
        own = signature(function)
        named = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        vars(function)["__signature__"] = own.replace(parameters=[*named, *listed])
        return function

    return decorated


def read_options(price: str, options: PriceOptions) -> tuple[PriceColumn, tuple[str, ...]]:
    """Return the column *price* with its options, and the columns to group by.

    Raises:
        InvalidInput: ``by`` is neither the name of a column nor several.
        InvalidOption: an option is not valid.
        TypeError: an option is unknown.
    """
    given: dict[str, Any] = dict(options)
    for name in given:
        if name not in PriceOptions.__annotations__:
            raise TypeError(f"unexpected keyword argument {name!r}{did_you_mean(name, _DEFAULTS)}")
    by = given.pop("by", ())
    if not isinstance(by, Iterable):
        raise InvalidInput(f"by: expected the names of columns, got {by!r}")
    return PriceColumn(price, **given), (by,) if isinstance(by, str) else tuple(by)
