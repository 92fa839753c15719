"""List prices: prices of a variant before discounts."""
