"""Totals of many checkouts in columns."""
