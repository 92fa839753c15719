"""Access by name to the fields of public values, which are dataclasses or named tuples. Decisions §1.5."""

import dataclasses
from typing import Any

new_row = tuple.__new__
"""Create a named tuple, given its class and a tuple of its fields in order.

With five fields, this takes 185 ns instead of 420; with twelve, 115 instead of 250. Use it only for values
that are created for every basket: pricing one line creates six. Elsewhere, call the class.
"""


class Derived:
    """Base class of values with cached properties, which are left out of copies and pickles."""

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)


def field_names(value: Any) -> tuple[str, ...]:
    """Return the field names of a public value or of its class; an empty tuple for anything else.

    >>> from faregate.dates.durations import Duration
    >>> field_names(Duration)
    ('months', 'days', 'seconds')
    """
    if dataclasses.is_dataclass(value):
        return tuple([field.name for field in dataclasses.fields(value) if field.name[0] != "_"])
    return getattr(value, "_fields", ())


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a public value, keyed by name as in its JSON object.

    >>> from faregate.dates.durations import Duration
    >>> fields_of(Duration(days=3))
    {'months': 0, 'days': 3, 'seconds': 0}
    """
    return {name: getattr(value, name) for name in field_names(value)}


def camel_case(name: str) -> str:
    """Return the name of a field as it is written in JSON.

    >>> camel_case("parts_per_million")
    'partsPerMillion'
    """
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
