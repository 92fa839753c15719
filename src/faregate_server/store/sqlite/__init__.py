"""Checkouts in one SQLite file."""
