"""NumPy versions of scalar functions, under the same names; they take and return whole columns.

Nothing is loaded until it is used: each name in ``__init__.pyi``, and with it NumPy (the extra ``batch``), is
imported on first access. The rest of the core runs without NumPy and imports nothing from this package.
"""

from __future__ import annotations

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__, extra="faregate[batch]")
