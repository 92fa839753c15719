"""Connections with clients: those of uvicorn, with bounds on what it waits for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from faregate_http.protocol.problems import Problem

if sys.platform != "win32":
    from fcntl import ioctl
    from termios import FIONREAD

if TYPE_CHECKING:
    from asyncio import BaseTransport

    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

MOST_HEAD_BYTES = 65_536
"""Maximum size of the request line and headers together."""

LINGER_SECONDS = 0.5
"""Time that an idle connection which is to end waits for a request that may be on its way."""

CLIENT_SECONDS = 5.0
"""Time that a connection which is to end waits for its client to send the rest, or to take a response."""

_WITHOUT_HOST = "1.0"
_VERSIONS = frozenset({"1.1", _WITHOUT_HOST})


class Shared(ServerState):
    """State that the connections of a server share: they are to end, also those that begin later."""

    is_finishing = False


class Connection(HttpToolsProtocol):
    """One connection, as HTTP/1.1 has it (RFC 9112).

    A head without end would fill the memory. Trailers are passed over (RFC 9110, 6.5.1): among the headers
    they could say who the client is, in the name of a proxy that knows them not.
    """

    _pending = 0  # bytes that came since something was complete
    _most = 0  # and with what came at last: a head that is complete now is no longer

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin."""
        super().connection_made(transport)  # type: ignore[arg-type]  # uvicorn names the kind it is given
        self._shared = self.server_state if isinstance(self.server_state, Shared) else Shared()

    def data_received(self, data: bytes) -> None:
        """Take what has come, and no more than can be waited for."""
        self._most = self._pending = self._pending + len(data)
        super().data_received(data)
        if self._pending > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("Request too large.")

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: a server may pass over an upgrade (RFC 9110, 7.8), and clients could fill the log."""

    def on_headers_complete(self) -> None:
        """Answer the request."""
        if self._most > MOST_HEAD_BYTES and self._head() > MOST_HEAD_BYTES:
            raise ValueError(self._head())  # the parser makes a refusal of it
        self._check_host()
        self._pending = 0
        former: RequestResponseCycle | None = self.cycle
        super().on_headers_complete()
        self.headers = []  # those of the request are in its scope: what comes now are trailers
        if self.parser.should_upgrade():  # which is passed over, but the parser reads no further
            self.cycle.keep_alive = False
        if self._shared.is_finishing:
            if former is not None and not former.response_started:
                former.keep_alive = True  # it is not the last any more
            self.cycle.keep_alive = False

    def _check_host(self) -> None:
        """Refuse HTTP/0.9, and requests that name no host, or two (RFC 9112, 3.2)."""
        hosts = [value for name, value in self.headers if name == b"host"]
        version = self.parser.get_http_version()
        if version not in _VERSIONS or len(hosts) > 1 or (version != _WITHOUT_HOST and not any(hosts)):
            raise ValueError(version, hosts)  # the parser makes a refusal of it

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that is not HTTP, and close the connection."""
        self.transport.write(written(Problem(400, "malformed-request", msg), "/"))
        self.transport.close()

    def _head(self) -> int:
        return len(self.url) + sum([len(name) + len(value) for name, value in self.headers])

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._pending = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        self._pending = 0
        super().on_message_complete()

    def timeout_keep_alive_handler(self) -> None:
        """End a connection on which nothing has happened for long, and nothing is about to."""
        if not self._has_unread():
            super().timeout_keep_alive_handler()

    def finish(self, seconds: float) -> None:
        """End with the answer to the last request that comes, which says so; *seconds* ago it was told to.

        The client of an idle connection cannot know that it is closed while it sends: so it lingers.
        """
        cycle: RequestResponseCycle | None = self.cycle
        is_answering = cycle is not None and not cycle.response_complete
        is_receiving = self._pending or (is_answering and self.cycle.more_body)
        if is_answering:
            self.cycle.keep_alive = False
        if is_receiving or self.transport.is_closing():
            self._give_up_after(seconds)
        elif not is_answering and seconds > LINGER_SECONDS and not self._has_unread():
            self.transport.close()

    def _give_up_after(self, seconds: float) -> None:
        if seconds > CLIENT_SECONDS:
            self.transport.abort()

    def _has_unread(self) -> bool:
        """Return whether unread bytes have come, which closing the connection would lose."""
        if sys.platform == "win32" or self.transport.is_closing():
            return False
        return any(ioctl(self.transport.get_extra_info("socket").fileno(), FIONREAD, bytes(4)))


def written(problem: Problem, path: str) -> bytes:
    """Return the response of *problem* as the bytes of a connection that then ends."""
    answer = problem.response(path)
    fields = (*answer.headers, (b"content-length", b"%d" % len(answer.body)), (b"connection", b"close"))
    head = b"".join(b"%s: %s\r\n" % field for field in fields)
    return STATUS_LINE[answer.status] + head + b"\r\n" + answer.body
