"""Catalogue files: read, checked and turned into the values the core prices with."""
