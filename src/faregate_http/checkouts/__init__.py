"""Handling of checkouts: load, change, save and show them; the core computes the changes."""
