"""The totals of a basket."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
