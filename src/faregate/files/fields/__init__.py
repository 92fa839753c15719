"""Types of single fields, shared by several kinds of files."""
