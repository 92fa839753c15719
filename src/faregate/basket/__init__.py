"""The inputs for pricing a basket: its lines and the pricing policy."""
