"""Columns of frames: their types, the values read from them, and their faulty rows."""
