"""Value-added tax."""
