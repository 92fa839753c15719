"""Donations and vouchers, which come between the price of the goods and the amount due."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
