"""``faregate reprice``: prices past orders under other rules."""
