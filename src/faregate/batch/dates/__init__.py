"""Month arithmetic on columns (arrays) of dates."""
