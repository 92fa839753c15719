"""The fields of a public value by name, be it a frozen dataclass or a named tuple. Decisions §1.5."""

from __future__ import annotations

import dataclasses
from typing import Any

new_row = tuple.__new__
"""Make a named tuple from the tuple of its fields, in their order.

With five fields it takes 185 ns instead of 420, with twelve 115 instead of 250. Only for what each basket
makes anew: one line makes eleven such rows in its 18 us. What is made less often is called with its fields.
"""


def field_names(value: Any) -> tuple[str, ...]:
    """Return the names of the fields of a public value, or of its class; none for anything else.

    >>> from faregate.dates.instants import Duration
    >>> field_names(Duration)
    ('months', 'days', 'seconds')
    """
    if dataclasses.is_dataclass(value):
        return tuple([field.name for field in dataclasses.fields(value)])
    return getattr(value, "_fields", ())


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a public value by name: what it is written as, always an object.

    >>> from faregate.dates.instants import Duration
    >>> fields_of(Duration(days=3))
    {'months': 0, 'days': 3, 'seconds': 0}
    """
    return {name: getattr(value, name) for name in field_names(value)}
