"""Rounding and exact allocation of amounts in columns."""
