"""The dates and periods of subscriptions."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
