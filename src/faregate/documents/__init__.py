"""JSON documents that store prices, rules and their inputs exactly. Decisions §19."""

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__)
