"""Checkouts: items, codes, capacity, prices, requirements and payment."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
