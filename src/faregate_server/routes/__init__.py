"""Routes beside the API: health checks, metrics and documentation."""
