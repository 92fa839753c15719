"""Gate prices for columns of requests."""
