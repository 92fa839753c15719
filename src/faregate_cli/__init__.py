"""The command line of faregate."""
