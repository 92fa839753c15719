"""The models of a catalogue file, which read and validate it part by part."""
