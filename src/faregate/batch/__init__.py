"""The same rules over arrays: a function here is the NumPy twin of the scalar function of its name.

Columns in, columns out. Nothing is loaded until it is used: each name of ``__init__.pyi`` is imported from
its module on first access, and NumPy with it (the extra ``batch``). The rest of the core runs without NumPy,
and imports nothing of this package.
"""

from __future__ import annotations

from faregate._lazy import lazy, names_in_stub

_NAMES = names_in_stub(__name__)
__all__ = [name for names in _NAMES.values() for name in names]  # strings, all of them

__getattr__, __dir__ = lazy(__name__, _NAMES, extra="faregate[batch]")
