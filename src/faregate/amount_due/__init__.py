"""Vouchers and donation: from the total to the amount due."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
