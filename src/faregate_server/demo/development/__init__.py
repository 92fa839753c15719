"""An identity provider for development on one machine."""
