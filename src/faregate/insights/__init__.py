"""Price distributions and their percentiles."""
