"""Pool usage and the holds of checkouts, converted between the core and the store."""
