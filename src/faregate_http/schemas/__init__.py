"""Structures of bodies (strict pydantic models) and of responses (msgspec structs)."""
