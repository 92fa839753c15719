"""Explanations of amounts, step by step."""
