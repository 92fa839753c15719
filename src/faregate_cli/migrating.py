"""Migrations by hand, for operators who do not leave them to the start of a service."""

from __future__ import annotations

from faregate_http.store import migrate

__all__ = ["migration"]


def migration(url: str) -> str:
    """Bring the tables of the database at *url* up to date; return from which revision to which.

    Raises:
        StoreError: the database cannot be used, or is of a newer version.
    """
    found, reached = migrate(url)
    if found == reached:
        return f"the tables are at revision {reached} already"
    return (
        f"migrated from {'an empty database' if found is None else f'revision {found}'} to revision {reached}"
    )
