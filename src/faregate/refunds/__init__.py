"""Refunds: the amounts paid back for returned units of a paid order."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
