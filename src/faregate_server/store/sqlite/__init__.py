"""Storage of checkouts in one SQLite file."""
