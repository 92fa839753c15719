"""Capacity of pools, passed between the core and the store."""
