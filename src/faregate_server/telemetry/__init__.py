"""Counts of requests and of the work beside them, for Prometheus."""
