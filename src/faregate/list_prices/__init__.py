"""List prices: the prices of a variant before any discount."""
