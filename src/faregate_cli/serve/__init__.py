"""``faregate serve``: the service as operators know it, with its connections and its log."""
