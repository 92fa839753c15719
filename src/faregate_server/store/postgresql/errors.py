"""What PostgreSQL, its driver and the network may say, as the errors of the contract."""

from __future__ import annotations

import asyncpg

from faregate_http.store.contract import StoreUnavailable

RETRIED = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InvalidCachedStatementError,  # the tables were migrated since; the driver has forgotten it now
)
"""After these nothing was done, and the same work may well succeed."""

FAILURES = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    EOFError,
)
"""All that the server, the driver and the network are known to end with."""

KNOWN_STATE = (asyncpg.PostgresError, asyncpg.DataError)
"""After these the server waits for the next command, or the connection knows that it is closed."""

_REFUSED_VALUES = ("22", "23")
"""Classes of SQLSTATE: data exceptions, and integrity constraints."""


def translated(error: Exception) -> Exception:
    """Return *error* as a store raises it: a ValueError for refused values, else StoreUnavailable.

    Only the first line is told: details quote the row, and rows are about persons.
    """
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    if is_refusal(error):
        return ValueError(f"the tables take no such values: {line}")
    return StoreUnavailable(f"the database cannot be used: {line}")


def is_refusal(error: Exception) -> bool:
    """Say whether the values themselves are what was refused."""
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate or "")[:2] in _REFUSED_VALUES
    return isinstance(error, ValueError) and not isinstance(error, asyncpg.InterfaceError)
