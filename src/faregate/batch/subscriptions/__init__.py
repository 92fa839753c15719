"""Renewal dates and prorated prices in columns."""
