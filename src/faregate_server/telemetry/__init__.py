"""Prometheus metrics of requests and background work."""
