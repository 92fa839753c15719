"""The lines of many baskets as columns, and the conditions they are bought under."""
