"""``faregate migrate``, ``check`` and ``backup``: commands for the database of a service."""
