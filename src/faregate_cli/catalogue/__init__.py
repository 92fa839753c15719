"""``faregate catalogue``: loads and checks catalogue files."""
