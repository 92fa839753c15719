"""What both databases share: the SQL that both understand, what a save writes, and how rows are read."""
