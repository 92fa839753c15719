"""Amounts of money: currencies, rounding and allocation."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
