"""Accounts, their persons and their deletion."""
