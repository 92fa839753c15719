"""VAT rates, and conversions between net and gross, for columns of amounts."""
