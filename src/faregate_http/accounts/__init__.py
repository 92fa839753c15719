"""Accounts, for whom they buy, and how they end."""
