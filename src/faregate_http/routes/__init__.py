"""The operations: parse, one change or reading, response. One module for each part of the interface."""
