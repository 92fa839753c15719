"""What has to go together in a database, whoever wrote it, and a sweep that says what does not."""
