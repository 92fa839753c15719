"""The totals of a basket, of its lines and of its items."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
