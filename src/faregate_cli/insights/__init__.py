"""``faregate insights``: how the prices of a file lie."""
