"""The socket that is listened on: one of our own, or one that somebody else keeps."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

from faregate_http.settings import InvalidSettings

if TYPE_CHECKING:
    import uvicorn

__all__ = ["listening_on"]

_FIRST = 3
"""The first descriptor after the standard ones, where sd_listen_fds(3) puts sockets that are passed on."""


def listening_on(config: uvicorn.Config) -> socket.socket:
    """The socket that was passed on with ``LISTEN_FDS``, as systemd does it; else one as *config* has it.

    Raises:
        InvalidSettings: what was passed on cannot be listened on.
    """
    found = _passed() or config.bind_socket()
    found.listen(config.backlog)  # who calls before the start is done waits instead of failing
    return found


def _passed() -> socket.socket | None:
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None  # nothing, or for the process that started this one
    number = os.environ.get("LISTEN_FDS", "")
    if number != "1":
        raise InvalidSettings(f"expected one socket to listen on, got LISTEN_FDS={number}")
    try:
        passed = socket.socket(fileno=_FIRST)
    except OSError as error:
        raise InvalidSettings(f"descriptor {_FIRST} is no socket: {error.strerror}") from None
    if passed.family not in {socket.AF_INET, socket.AF_INET6} or passed.type != socket.SOCK_STREAM:
        passed.close()
        raise InvalidSettings(f"expected a TCP socket, got {passed.family.name} {passed.type.name}")
    os.set_inheritable(_FIRST, False)
    return passed
