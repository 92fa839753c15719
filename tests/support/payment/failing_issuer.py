"""An issuer of tickets that fails when it is told to."""

from faregate_http.ordering.ticketing import IssueFailed, Ticket, TicketIssuer


class FailingIssuer:
    """Fails the first *failures* times, then does what *inner* does: for trying out what happens then."""

    def __init__(self, inner: TicketIssuer, failures: int) -> None:
        self._inner = inner
        self._left = failures

    async def issue(self, ticket: Ticket) -> str:
        """See `TicketIssuer.issue`."""
        if self._left > 0:
            self._left -= 1
            raise IssueFailed("a failure that was asked for")
        return await self._inner.issue(ticket)


class ItemsIssuer:
    """Gives numbers of its own; fails for the items in ``failing``, for ever."""

    def __init__(self) -> None:
        self.failing: set[int] = set()

    async def issue(self, ticket: Ticket) -> str:
        """See `TicketIssuer.issue`."""
        if ticket.item_id in self.failing:
            raise IssueFailed("out of paper")
        return f"T{ticket.item_id}"
