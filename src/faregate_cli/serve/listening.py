"""The listening socket: a new one, or one passed by the process that started the service."""

import errno
import os
import socket
from contextlib import ExitStack

from faregate_cli.serve.ports import Ports
from faregate_server.settings import InvalidSettings

_BACKLOG = 2048

_FIRST = 3
"""Descriptor of the first passed socket (see sd_listen_fds(3)): the first after the standard streams."""


def listening_host(host: str) -> str:
    """Return the address to listen on: that of a socket passed by another process, or else *host*.

    Raises:
        InvalidSettings: the passed socket is not a TCP socket, or more than one was passed.
    """
    passed = _passed()
    if passed is None:
        return host
    address = str(passed.getsockname()[0])
    passed.detach()  # it stays open
    return address


def listening_on(host: str, port: int) -> socket.socket:
    """Return the socket passed with ``LISTEN_FDS``, as systemd does, or else a new one.

    Raises:
        InvalidSettings: the passed socket, or the address and port, cannot be listened on.
    """
    return _heard(_passed() or _bound(host, port, "--"))


def management_sockets(ports: Ports) -> list[socket.socket]:
    """Return the management socket of each worker, in their order; empty without a management port.

    Raises:
        InvalidSettings: one of the ports cannot be listened on.
    """
    first = ports.management_port
    if first is None:
        return []
    numbers = range(first, first + ports.workers) if first else [0] * ports.workers
    with ExitStack() as on_failure:
        made = [
            on_failure.enter_context(_heard(_bound(ports.management_host, number, "--management-")))
            for number in numbers
        ]
        on_failure.pop_all()
    return made


def _heard(found: socket.socket) -> socket.socket:
    # All workers and copies share this setting. If one made it blocking, if only for a moment, a worker that
    # came late to a connection would wait for the next one, and answer nobody meanwhile.
    found.setblocking(False)
    found.listen(_BACKLOG)  # clients that connect before the start is complete wait instead of failing
    return found


def _bound(host: str, port: int, options: str) -> socket.socket:
    """Return a bound socket, because uvicorn announces itself too early and exits if binding fails."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise InvalidSettings(_in_the_way(error, host, port, options)) from None
    return made


def _in_the_way(error: OSError, host: str, port: int, options: str) -> str:
    where = f"cannot listen on {host}, port {port}: {error.strerror}"
    if error.errno == errno.EADDRINUSE:
        remedy = f"choose another with {options}port (0: any free port)"
        return f"{where}: stop the program that uses it, or {remedy}"
    if error.errno == errno.EACCES:
        return f"{where}: choose a port from 1024 on with {options}port"
    return f"{where}: choose an address of this machine with {options}host"


def _passed() -> socket.socket | None:
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None  # absent, or meant for the parent process
    number = os.environ.get("LISTEN_FDS", "")
    if number != "1":
        raise InvalidSettings(f"expected one socket to listen on, got LISTEN_FDS={number}")
    try:
        passed = socket.socket(fileno=_FIRST)
    except OSError as error:
        raise InvalidSettings(f"descriptor {_FIRST} is not a socket: {error.strerror}") from None
    if passed.family not in {socket.AF_INET, socket.AF_INET6} or passed.type != socket.SOCK_STREAM:
        passed.close()
        raise InvalidSettings(f"expected a TCP socket, got {passed.family.name} {passed.type.name}")
    os.set_inheritable(_FIRST, False)
    return passed
