"""``faregate insights``: summarises the prices of a file."""
