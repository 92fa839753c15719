"""File descriptors: each connection needs one, and the usual limit is 1,024."""

from __future__ import annotations

import sys

ENOUGH = 16_384
"""Descriptors that a process asks for; more connections than that would use too much memory."""

RESERVED = 128
"""Descriptors for files, the database and the service itself."""


def most_connections() -> int:
    """Raise the limit of descriptors to `ENOUGH` or the hard limit; return how many connections fit in it."""
    if sys.platform == "win32":  # there is no such limit
        return ENOUGH
    import resource

    soft, hard = (
        ENOUGH if limit == resource.RLIM_INFINITY else limit
        for limit in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    limit = max(soft, min(ENOUGH, hard))
    if limit > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return max(limit - RESERVED, 1)
