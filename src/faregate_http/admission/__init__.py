"""Admission under load: which requests begin, wait or are refused."""
