"""Checkouts: items, codes, capacity, prices, requirements and payment."""
