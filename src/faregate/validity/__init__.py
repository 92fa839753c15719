"""The validity periods of a product: dates, capacity and prices."""
