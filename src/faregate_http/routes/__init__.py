"""The operations: parse, one change or reading, answer. One module for each part of the interface."""
