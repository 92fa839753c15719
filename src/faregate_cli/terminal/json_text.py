"""JSON with exact numbers: a ``Decimal`` is written digit by digit, never as a float."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, TypeAlias

import click

from faregate.arguments.fields import camel_case, field_names
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | int | Decimal | bool | None
"""A value that can be written as JSON."""


def print_json(value: Json) -> None:
    """Write *value* to standard output as JSON."""
    click.echo(json_text(value))


def print_either(line: str, value: Json, *, as_json: bool) -> None:
    """Print *value* as JSON if *as_json*, otherwise the equivalent *line* for people."""
    click.echo(json_text(value) if as_json else line)


def json_text(value: Json, *, indent: str = "") -> str:
    r"""Return *value* as ASCII JSON; numbers have neither exponents nor trailing zeros.

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


def json_fields(value: object, *names: str) -> dict[str, Json]:
    """Return the fields of *value* that *names* lists, as JSON with their names in camelCase.

    >>> from faregate.subscriptions.rules import Renewal, RenewalPeriod
    >>> json_fields(Renewal(RenewalPeriod.MONTHLY, day=15), "period", "day", "days_amount")
    {'period': 'MONTHLY', 'day': 15, 'daysAmount': None}
    """
    return {camel_case(name): json_value(getattr(value, name)) for name in names}


def json_value(value: Any) -> Json:
    """Return *value* as JSON: dates in ISO 8601, enum members as values, other objects as their fields.

    An object that defines its own text, such as a duration, becomes that text.
    """
    match value:
        case Enum():
            return json_value(value.value)
        case None | bool() | int() | str() | Decimal():
            return value
        case date():
            return value.isoformat()
        case _:
            kind: Any = type(value)
            names = field_names(value) if kind.__str__ is object.__str__ else ()
            return json_fields(value, *names) if names else str(value)


def json_amounts(value: object, unit: Currency, *names: str) -> dict[str, Json]:
    """Return the amounts in the fields *names* of *value*, in major units of *unit*; None becomes null."""
    return {camel_case(name): major_units(getattr(value, name), unit) for name in names}


def major_units(amount: MinorUnits | None, unit: Currency) -> Decimal | None:
    """Convert *amount* from minor units to the exact number of major units; None stays None.

    >>> from faregate.money.currency import currency
    >>> major_units(4950, currency("CHF"))
    Decimal('49.50')
    """
    return None if amount is None else Decimal(amount).scaleb(-unit.exponent)
