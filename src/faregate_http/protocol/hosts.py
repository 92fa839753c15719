"""Host names of this machine."""

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Return True if *host* is a loopback address or name, which other machines cannot reach.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("example.com")
    (True, True, False, False)
    """
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
