"""Consistency rules of a database, and a sweep that reports the violations."""
