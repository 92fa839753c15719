"""Donations and vouchers, which turn the price of the goods into the amount due."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
