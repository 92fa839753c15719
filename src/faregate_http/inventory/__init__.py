"""Usage of pools and holds of checkouts, converted between the core and the store."""
