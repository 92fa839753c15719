"""Translation of PostgreSQL, driver and network errors into the errors of the store contract."""

import asyncpg

from faregate_http.store.contract import StoreUnavailable

RETRIED = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InvalidCachedStatementError,  # the tables were migrated; the driver has now cleared its cache
)
"""Errors that leave the database unchanged and after which a retry may succeed."""

FAILURES = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    EOFError,
)
"""All errors that the server, the driver and the network are known to cause."""

KNOWN_STATE = (asyncpg.PostgresError, asyncpg.DataError)
"""Errors after which the server accepts the next command, or the connection is known to be closed."""

_REFUSED_VALUES = ("22", "23")
"""SQLSTATE classes of data exceptions and integrity constraint violations."""


def translated(error: Exception) -> Exception:
    """Return the error to raise in place of *error*: ValueError for refused values, else StoreUnavailable."""
    line = first_line(error)
    if is_refusal(error):
        return ValueError(f"the database refuses these values: {line}")
    return StoreUnavailable(f"the database cannot be used: {line}")


def first_line(error: BaseException) -> str:
    """Return the first line of the message of *error*: the others may quote rows, that is, personal data."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def is_refusal(error: Exception) -> bool:
    """Return True if *error* means that the database refused the values of a statement."""
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate or "")[:2] in _REFUSED_VALUES
    return isinstance(error, ValueError) and not isinstance(error, asyncpg.InterfaceError)
