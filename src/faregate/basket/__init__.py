"""The inputs for pricing a basket: its lines and the pricing policy."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
