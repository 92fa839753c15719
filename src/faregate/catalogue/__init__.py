"""The catalogue: everything that is sold, and the rules it is sold by."""
