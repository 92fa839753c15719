"""Checkouts in a database: one contract, implemented for SQLite and PostgreSQL."""
