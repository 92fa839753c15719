"""Instants, days, months and time zones."""
