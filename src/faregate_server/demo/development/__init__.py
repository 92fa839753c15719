"""An identity provider for one machine, for development."""
