"""Customer accounts: login, saved persons, and deletion."""
