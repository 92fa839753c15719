"""VAT in columns."""
