"""Explanations of amounts, step by step."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
