"""An identity provider for development, usable only from the machine on which the service runs."""
