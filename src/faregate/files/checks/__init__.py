"""A file against its model: every fault, with its line and a hint."""
