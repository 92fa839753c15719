"""Comparison of faregate with its alternatives: ``python -m benchmarks.comparison``."""
