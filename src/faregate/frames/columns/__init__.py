"""Columns of frames: which types they have, how their values are read, and which of their rows are wrong."""
