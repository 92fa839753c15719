"""``faregate price``: prints the receipt for a basket and, on request, explains its amounts."""
