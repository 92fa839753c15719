"""Pool capacity, passed between the core and the store."""
