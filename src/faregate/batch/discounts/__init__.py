"""Automatic discounts and promo codes of many baskets."""
