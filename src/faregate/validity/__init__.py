"""The validities of a product: dates, capacity and prices."""
