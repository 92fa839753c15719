"""The price of a variant before discounts."""
