"""Rounding and sharing of amounts in columns, nothing lost."""
