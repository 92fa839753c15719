"""``faregate catalogue``: catalogue files, loaded and checked."""
