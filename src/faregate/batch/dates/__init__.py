"""Months in columns."""
