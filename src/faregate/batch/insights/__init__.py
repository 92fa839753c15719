"""Price distributions of whole columns."""
