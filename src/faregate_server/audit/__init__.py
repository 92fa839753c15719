"""Consistency rules for a database, and a sweep that reports violations."""
