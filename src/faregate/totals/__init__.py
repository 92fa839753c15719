"""The totals of a basket, of its lines and of its items."""
