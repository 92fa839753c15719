"""Storage of checkouts in a PostgreSQL database."""
