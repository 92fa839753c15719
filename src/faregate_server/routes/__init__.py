"""Routes in addition to the API: health checks, metrics and documentation."""
