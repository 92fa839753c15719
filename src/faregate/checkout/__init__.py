"""The checkout, from its first item to its payment."""
