"""NumPy versions of the scalar functions, under the same names; they take and return columns.

Nothing is loaded until it is used: each name of ``__init__.pyi`` is imported from its module on first access,
and NumPy with it (the extra ``batch``). The rest of the core runs without NumPy and imports nothing from this
package.
"""

from __future__ import annotations

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__, extra="faregate[batch]")
