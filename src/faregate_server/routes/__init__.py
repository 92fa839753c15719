"""Routes beside the interface: is the service alive, ready and busy, and how it is documented."""
