"""Loading, changing, saving and showing checkouts; the core computes the changes."""
