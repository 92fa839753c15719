"""Checkouts in a database: one contract, SQLite and PostgreSQL behind it."""
