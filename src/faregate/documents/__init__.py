"""Stored values: one exact form of prices, rules and their inputs in JSON. Decisions §19."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
