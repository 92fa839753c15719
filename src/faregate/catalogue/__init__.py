"""The catalogue: everything for sale and the rules for selling it."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
