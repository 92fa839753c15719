"""``faregate insights``: summarises the prices in a file."""
