"""Value-added tax."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
