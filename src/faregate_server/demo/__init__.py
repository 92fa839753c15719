"""The service shown to people: a page that sells, a gateway that takes no money, logins for everybody."""
