"""JSON and YAML as plain values with line numbers, and issues that refer to the lines."""
