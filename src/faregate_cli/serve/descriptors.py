"""File descriptors: each connection needs one, and the usual limit is 1,024."""

from __future__ import annotations

import sys

RESERVED = 128
"""Descriptors for files, the database and the service itself."""


def connections_within(most: int) -> int:
    """Raise the limit of descriptors as far as *most* connections need; return how many it allows.

    The limit is raised to at most its hard limit, which only the system's administrator can raise.
    """
    if sys.platform == "win32":  # there is no such limit
        return most
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return most
    needed = max(soft, most + RESERVED)
    wanted = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ValueError, OSError):  # macOS refuses values that its kernel does not allow
        wanted = soft
    return max(min(most, wanted - RESERVED), 1)
