"""Parts of a store that SQLite and PostgreSQL share: SQL, the statements of a save, and reading rows."""
