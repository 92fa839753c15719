"""Gate prices in columns."""
