"""Ticket issuers that fail as configured."""

from faregate_http.ordering.ticketing import IssueFailed, Ticket, TicketIssuer


class FailingIssuer:
    """An issuer that fails the first *failures* times, then delegates to *inner*."""

    def __init__(self, inner: TicketIssuer, failures: int) -> None:
        self._inner = inner
        self._left = failures

    async def issue(self, ticket: Ticket) -> str:
        if self._left > 0:
            self._left -= 1
            raise IssueFailed("a requested failure")
        return await self._inner.issue(ticket)


class ItemsIssuer:
    """An issuer with numbers of its own, which always fails for the items in ``failing``."""

    def __init__(self) -> None:
        self.failing: set[int] = set()

    async def issue(self, ticket: Ticket) -> str:
        if ticket.item_id in self.failing:
            raise IssueFailed("out of paper")
        return f"T{ticket.item_id}"
