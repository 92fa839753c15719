"""Automatic discounts and promo codes."""
