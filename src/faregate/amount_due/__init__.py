"""Vouchers and donation: from the total to the amount due."""
