"""``faregate migrate``, ``check`` and ``backup``: work on the database of a service."""
