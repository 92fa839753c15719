"""List prices: prices of a variant before discounts."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
