"""Price requests from gates, and the prices returned for them."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
