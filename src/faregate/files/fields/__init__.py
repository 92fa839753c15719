"""Types of single fields that several files share."""
