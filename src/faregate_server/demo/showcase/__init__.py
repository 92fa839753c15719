"""A shop page made of static files that call the documented API."""
