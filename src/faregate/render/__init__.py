"""Receipts, tables and pictures, as text, HTML and SVG."""
