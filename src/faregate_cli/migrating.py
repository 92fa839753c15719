"""Migrations by hand, for operators who do not leave them to the start of a service."""

from __future__ import annotations

from typing import NamedTuple

from faregate_http.store import migrate

__all__ = ["Migration", "migration"]


class Migration(NamedTuple):
    """From which revision to which; ``found`` is None where there were no tables."""

    found: str | None
    reached: str

    @property
    def text(self) -> str:
        """In words."""
        if self.found == self.reached:
            return f"the tables are at revision {self.reached} already"
        start = "an empty database" if self.found is None else f"revision {self.found}"
        return f"migrated from {start} to revision {self.reached}"


def migration(url: str) -> Migration:
    """Bring the tables of the database at *url* up to date.

    Raises:
        StoreError: the database cannot be used, or is of a newer version.
    """
    return Migration(*migrate(url))
