"""Storage of checkouts in a database: one contract, implemented for SQLite and for PostgreSQL."""
