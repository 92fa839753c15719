"""NumPy versions of the scalar functions, under the same names; they take and return columns.

Nothing is loaded until it is used: each name in ``__init__.pyi``, and with it NumPy (the extra ``batch``), is
imported on first access. The rest of the core runs without NumPy and imports nothing from this package.
"""

from __future__ import annotations

from faregate._lazy import lazy, names_in_stub

_NAMES = names_in_stub(__name__)
__all__ = [name for names in _NAMES.values() for name in names]  # all are strings

__getattr__, __dir__ = lazy(__name__, _NAMES, extra="faregate[batch]")
