"""List prices: the prices of a variant before any discount."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
