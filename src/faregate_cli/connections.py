"""Connections with clients: those of uvicorn, with bounds on what it waits for."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["MOST_HEAD_BYTES", "Connection"]

MOST_HEAD_BYTES = 65_536
"""So long are request line and headers together, and whatever else comes before something can be done."""


class Connection(HttpToolsProtocol):
    """One connection, as HTTP/1.1 has it (RFC 9112).

    A head without end would fill the memory. Trailers are passed over (RFC 9110, 6.5.1): among the headers
    they could say who the client is, in the name of a proxy that knows them not.
    """

    _pending = 0  # bytes that came since something was complete
    _head = 0
    _has_head = False

    def data_received(self, data: bytes) -> None:
        """Take what has come, and no more than can be waited for."""
        self._pending += len(data)
        super().data_received(data)
        if self._pending > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("Request too large.")

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: a server may pass over an upgrade (RFC 9110, 7.8), and clients could fill the log."""

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._head, self._has_head = 0, False
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a piece of the request line."""
        self._count(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; a trailer is none."""
        self._count(name, value)
        if not self._has_head:
            super().on_header(name, value)

    def _count(self, *parts: bytes) -> None:
        self._head += sum(map(len, parts))
        if self._head > MOST_HEAD_BYTES:
            raise ValueError(self._head)  # the parser makes a refusal of it

    def on_headers_complete(self) -> None:
        """Answer the request."""
        self._pending, self._has_head = 0, True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._pending = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        self._pending = 0
        super().on_message_complete()
