"""Counts of failures, such as wrong codes, that several processes share through their store."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class SharesFailures(Protocol):
    """A store that counts failures by the clock of its database; both methods raise `StoreUnavailable`."""

    async def failure_wait(self, kind: str, holder: int, most: int) -> float:
        """Return the seconds until *holder* has fewer than *most* failures of *kind*, or 0."""
        ...

    async def add_failure(self, kind: str, holder: int, seconds: float) -> None:
        """Count a failure of *kind* by *holder* for *seconds*; of all failures, only the newest are kept."""
        ...
