"""Prices at a gate."""
