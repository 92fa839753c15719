"""Checkouts in a PostgreSQL database."""
