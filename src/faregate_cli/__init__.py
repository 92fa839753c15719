"""The command line of faregate: a thin adapter that reads files, calls the core and prints."""
