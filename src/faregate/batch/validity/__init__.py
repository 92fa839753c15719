"""A season of validities at once."""
