"""The HTTP adapter of faregate: parse, call the core, store, render."""
