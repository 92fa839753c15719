"""Checks of a catalogue, which find contradictions and invalid values in its entries."""
