"""``faregate reprice``: past orders under other rules."""
