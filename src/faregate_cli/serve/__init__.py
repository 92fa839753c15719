"""``faregate serve``: the service with its sockets, signals and log."""
