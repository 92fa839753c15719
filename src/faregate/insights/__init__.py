"""Price distributions and their percentiles."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
