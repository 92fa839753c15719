"""The checkout, from its first item to its payment."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
