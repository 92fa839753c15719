"""Terminal output and command-line input shared by the commands."""
