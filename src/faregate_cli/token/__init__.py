"""``faregate token`` and ``channel-key``: make credentials for a service."""
