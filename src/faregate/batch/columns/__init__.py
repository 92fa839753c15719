"""Checked arrays: numbers, dates, offsets of baskets, and their view in a notebook."""
