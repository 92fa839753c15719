"""Stored values: one exact form of prices, rules and their inputs in JSON. Decisions §19."""

from faregate._lazy import lazy, names_in_stub

_NAMES = names_in_stub(__name__)
__all__ = [name for names in _NAMES.values() for name in names]

__getattr__, __dir__ = lazy(__name__, _NAMES)
