"""The fields of public values, dataclasses or named tuples, by name. Decisions §1.5."""

from __future__ import annotations

import dataclasses
from typing import Any

new_row = tuple.__new__
"""Make a named tuple from a tuple of its fields, in their order.

With five fields it takes 185 ns instead of 420, with twelve 115 instead of 250. Use it only for values that
every basket makes anew: one line makes eleven such rows in its 18 us. Call the class everywhere else.
"""


class Derived:
    """Base of values with cached properties: a copy or a pickle has the fields only."""

    def __getstate__(self) -> dict[str, Any]:
        return fields_of(self)


def field_names(value: Any) -> tuple[str, ...]:
    """Return the field names of a public value or of its class; empty for anything else.

    >>> from faregate.dates.durations import Duration
    >>> field_names(Duration)
    ('months', 'days', 'seconds')
    """
    if dataclasses.is_dataclass(value):
        return tuple([field.name for field in dataclasses.fields(value) if field.name[0] != "_"])
    return getattr(value, "_fields", ())


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a public value by name, as in its JSON object.

    >>> from faregate.dates.durations import Duration
    >>> fields_of(Duration(days=3))
    {'months': 0, 'days': 3, 'seconds': 0}
    """
    return {name: getattr(value, name) for name in field_names(value)}
