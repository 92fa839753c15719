"""Benchmark prices for groups, each in the unit of its group's prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from faregate.arguments.checks import as_int
from faregate.errors import InvalidAmount, InvalidInput, UnitRequired
from faregate.frames.columns.prices import PriceUnit
from faregate.frames.prices.counting import Counts, Key
from faregate.money.amounts import MinorUnits, parse_minor_units
from faregate.money.currency import Currency

Benchmark: TypeAlias = MinorUnits | str | Decimal | Mapping[Any, MinorUnits | str | Decimal]
"""One price to compare with all groups, or a mapping with a price for each group.

An int is allowed only if the prices are ints, and is in the same unit; a string or Decimal is in major units
of the currency of the prices.
"""


def prices_to_judge(benchmark: Benchmark, counts: Counts, keys: Sequence[Key]) -> list[MinorUnits]:
    """Return the benchmark for each group in *keys*, in minor units.

    Raises:
        InvalidInput: a group has no benchmark.
        InvalidAmount: a benchmark is not in the unit of the prices.
        UnitRequired: a benchmark is an int, but the prices are in major units and are not ints.
    """
    given = _given(benchmark, keys)
    is_major = counts.reader.column.unit is PriceUnit.MAJOR
    return [_amount(price, counts.unit_of(key), is_major) for price, key in zip(given, keys, strict=True)]


def _given(benchmark: Benchmark, keys: Sequence[Key]) -> list[object]:
    if not isinstance(benchmark, Mapping):
        return [benchmark] * len(keys)
    own = {key: key[0] if len(key) == 1 and key not in benchmark else key for key in keys}
    missing = [f"no benchmark for the group {key}" for key in keys if own[key] not in benchmark]
    if missing:
        raise InvalidInput(*missing)
    return [benchmark[own[key]] for key in keys]


def _amount(price: object, unit: Currency | None, is_major: bool) -> MinorUnits:  # noqa: FBT001 - private
    number = as_int(price)
    if number is not None:
        if unit is None:
            return number
        if not is_major:
            raise UnitRequired(f"benchmark: {number} may be minor or major units: give{_example(unit)}")
    elif unit is None or not isinstance(price, str | Decimal):
        raise InvalidAmount(f"benchmark: expected {_expected(unit)}, got {price!r}")
    try:
        return parse_minor_units(str(price), unit)
    except InvalidAmount as wrong:
        raise InvalidAmount(f"benchmark: expected an amount of {unit.code}: {wrong}") from None


def _expected(unit: Currency | None) -> str:
    return "an int of minor units, as the prices are" if unit is None else _example(unit).strip()


def _example(unit: Currency) -> str:
    example = f"69{f'.{0:0{unit.exponent}}' if unit.exponent else ''}"
    return f" a string or Decimal in {unit.code}, such as {example!r}"
