"""Documents: JSON in which prices, rules and their inputs can be stored exactly. Decisions §19."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
