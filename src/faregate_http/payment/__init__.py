"""Payment: the gateway, stored means of payment, and the state of payments."""
