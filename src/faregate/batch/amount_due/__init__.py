"""Payment with vouchers for many baskets: from the total to the amount due."""
