"""Validation of a file against its model, with line numbers and hints."""
