"""Errors about databases that no store of this version can use."""

from faregate_http.store.contract import StoreError


class NewerDatabase(StoreError):
    """The database has the revision *found*; the newest that this version of faregate knows is *known*."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(
            f"the database is at revision {found}, newer than {known}: install a newer version of faregate"
        )


class OlderDatabase(StoreError):
    """The database has the revision *found* (None: it has no tables); this version needs *needed*."""

    def __init__(self, found: str | None, needed: str) -> None:
        where = "has no faregate tables" if found is None else f"is at revision {found}"
        super().__init__(f"the database {where}, expected revision {needed}: run faregate migrate first")


class UnsupportedDatabase(StoreError, ValueError):
    """The URL names a database that no store supports."""
