"""The input of a basket's totals: lines and policy."""
