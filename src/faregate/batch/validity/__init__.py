"""Validity options of a whole season in columns."""
