"""The totals of a basket."""
