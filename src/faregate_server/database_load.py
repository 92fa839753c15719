"""The load of a store's connections, for the metrics."""

from typing import NamedTuple, Protocol, runtime_checkable


class DatabaseLoad(NamedTuple):
    """The connections of one process in use, their limit, and the operations that wait for one."""

    in_use: int
    limit: int
    waiting: int


@runtime_checkable
class ReportsLoad(Protocol):
    """A store that knows its load."""

    def load(self) -> DatabaseLoad:
        """Return the current load."""
        ...
