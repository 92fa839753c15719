"""``faregate serve``: runs the service, with its socket, signal handling and log."""
