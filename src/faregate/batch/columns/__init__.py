"""Columns of numbers, dates and basket offsets: checks, and an HTML view for notebooks."""
