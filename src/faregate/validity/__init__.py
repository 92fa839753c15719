"""The validity periods of a product: dates, capacity and prices."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
