"""Demonstrations of the service: a shop page, a payment gateway without money, and logins for development."""
