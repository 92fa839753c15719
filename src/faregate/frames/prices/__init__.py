"""Counts, distributions and insights of the prices in a frame."""
