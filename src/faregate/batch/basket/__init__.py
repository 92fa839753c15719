"""The lines and contexts of many baskets as columns."""
