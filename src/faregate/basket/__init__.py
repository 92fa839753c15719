"""The input of a basket's totals: lines and policy."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
