"""Customer accounts: login, the persons saved in them, and their deletion."""
