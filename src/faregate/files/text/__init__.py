"""JSON and YAML as plain values that know their lines, and issues that name them."""
