"""Argument checks."""
