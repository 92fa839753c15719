"""``faregate price``: prints the receipt of a basket and the reason for each amount."""
