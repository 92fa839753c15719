"""Terminal output and command-line input that the commands share."""
