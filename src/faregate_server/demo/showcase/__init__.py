"""A shop page for people, built from static files over the documented API."""
