"""Donations and vouchers, which come between the price of the goods and the amount due."""
