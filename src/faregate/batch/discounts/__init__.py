"""Automatic discounts and promo codes for many baskets."""
