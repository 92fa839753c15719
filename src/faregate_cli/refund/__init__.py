"""``faregate refund``: quotes the refund for returned units of an order."""
