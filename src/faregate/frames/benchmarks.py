"""The prices that groups are asked about: each in the unit in which the prices of its group are."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from faregate.errors import InvalidAmount, InvalidInput
from faregate.money import parse_minor_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate.currency import Currency
    from faregate.frames.counting import Counts, Key
    from faregate.money import MinorUnits

__all__ = ["Benchmark", "prices_to_judge"]

Benchmark: TypeAlias = "MinorUnits | str | Decimal | Mapping[Any, MinorUnits | str | Decimal]"
"""One price that all groups are asked about, or one for each group.

An int is in minor units, as amounts are everywhere; a text or a Decimal is in major units of the currency
that the prices are in.
"""


def prices_to_judge(benchmark: Benchmark, counts: Counts, keys: Sequence[Key]) -> list[MinorUnits]:
    """The price that each group of *keys* is asked about, in minor units.

    Raises:
        InvalidInput: there is none for a group.
        InvalidAmount: one is not in the unit of the prices.
    """
    given = _given(benchmark, keys)
    return [_amount(price, counts.unit_of(key)) for price, key in zip(given, keys, strict=True)]


def _given(benchmark: Benchmark, keys: Sequence[Key]) -> list[object]:
    if not isinstance(benchmark, Mapping):
        return [benchmark] * len(keys)
    own = {key: key[0] if len(key) == 1 and key not in benchmark else key for key in keys}
    missing = [f"no benchmark for the group {key}" for key in keys if own[key] not in benchmark]
    if missing:
        raise InvalidInput(*missing)
    return [benchmark[own[key]] for key in keys]


def _amount(price: object, unit: Currency | None) -> MinorUnits:
    if type(price) is int:
        return price
    if unit is None or not isinstance(price, str | Decimal):
        raise InvalidAmount(f"benchmark: expected an int of minor units{_or_major(unit)}, got {price!r}")
    try:
        return parse_minor_units(str(price), unit)
    except InvalidAmount as wrong:
        raise InvalidAmount(f"benchmark: expected an amount of {unit.code}: {wrong}") from None


def _or_major(unit: Currency | None) -> str:
    """What else would do."""
    if unit is None:
        return ", as the prices are"
    example = f"69{f'.{0:0{unit.exponent}}' if unit.exponent else ''}"
    return f", or a text or Decimal in {unit.code}, such as {example!r}"
