"""The same rules over arrays: a module here is the NumPy twin of the scalar module of its name.

Columns in, columns out. Importing a module of this package imports NumPy; the rest of the core runs
without it, and nothing of the core imports this package.
"""

from __future__ import annotations

__all__: list[str] = []
