"""Code that the SQLite and PostgreSQL stores share: queries, the statements of a save, and row parsing."""
