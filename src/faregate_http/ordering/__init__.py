"""From a checkout to an order: the payment, its settlement, the tickets."""
