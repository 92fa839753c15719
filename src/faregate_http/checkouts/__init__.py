"""Checkouts: loaded, changed by the core, saved and shown."""
