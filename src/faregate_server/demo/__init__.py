"""Aids for trying the service: a shop page, a gateway that takes no money, and development logins."""
