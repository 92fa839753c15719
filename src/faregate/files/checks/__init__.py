"""A file against its model: every issue, with its line and a hint."""
