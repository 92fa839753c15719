"""The wire: what bodies must look like (pydantic, strict) and what answers look like (msgspec structs)."""
