"""Capacity of pools, between the core and the store."""
