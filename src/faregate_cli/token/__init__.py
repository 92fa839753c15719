"""``faregate token`` and ``channel-key``: credentials of a service."""
