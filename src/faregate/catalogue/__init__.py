"""The catalogue: everything for sale and the rules for selling it."""
