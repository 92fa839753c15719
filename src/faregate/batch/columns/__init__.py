"""Checked arrays: numbers, dates, offsets of baskets, and how a notebook shows them."""
