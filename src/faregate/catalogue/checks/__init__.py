"""Checks of a catalogue."""
