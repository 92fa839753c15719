"""Argument checks, fields of public values, and suggestions for misspelt words."""
