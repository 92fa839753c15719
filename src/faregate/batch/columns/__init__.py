"""Columns of numbers, dates and basket offsets: checks, and a view of them for notebooks."""
