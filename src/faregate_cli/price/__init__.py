"""``faregate price``: a basket, its receipt and its reasons."""
