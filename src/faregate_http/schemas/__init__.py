"""The shapes of bodies (pydantic, strict) and of responses (msgspec structs)."""
