"""JSON and YAML as plain values that know their lines, and faults that name them."""
