"""Amounts of money: currencies, rounding and allocation."""
