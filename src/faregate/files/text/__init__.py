"""Parsing of JSON and YAML into plain values, and issues with their positions in the text."""
