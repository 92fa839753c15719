"""Workers share a port: one that dies is replaced, and signals reach all of them."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.request import urlopen
from uuid import uuid4

import pytest

from faregate_cli.serve.exposure import AllowedExposures
from faregate_cli.serve.ports import Ports, port_faults
from support.cli.running import run, told
from support.processes.program import Program, get, program
from support.service.service import HEADERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are forked"),
]


@contextmanager
def two_workers(folder: Path) -> Iterator[Program]:
    with program(folder, "--workers", "2", "--management-port", "0") as server:
        server.logged("startup complete", times=2)
        yield server


def found(pattern: str, server: Program) -> list[int]:
    """Return the numbers that match *pattern* in the server's log."""
    return [int(number) for number in re.findall(pattern, server.log.read_text(encoding="utf-8"))]


def workers(server: Program) -> list[int]:
    return found(r"Started server process \[(\d+)\]", server)


def management_ports(server: Program) -> list[int]:
    return found(r"listening for operators on 127\.0\.0\.1, port (\d+)", server)


def wait_until_ended(process: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {process} has not ended")


def test_a_killed_worker_is_replaced_while_the_others_serve(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        first, second = workers(server)
        os.kill(first, signal.SIGKILL)
        statuses = {server.get("/health/live")[0] for _ in range(20)}
        server.logged("startup complete", times=3)
        *_, third = workers(server)
        managed = [get(port, "/health/ready")[0] for port in management_ports(server)]
        server.process.terminate()
        status = server.ended()
        for worker in (second, third):
            wait_until_ended(worker)

    assert statuses == {200}
    assert managed == [200, 200]
    assert status == 0
    assert f"replaces process {first}, which ended with status -9" in server.log.read_text(encoding="utf-8")


def test_each_worker_counts_for_itself_on_its_management_port(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        ports = management_ports(server)
        answers = [urlopen(f"http://127.0.0.1:{port}/health/live") for port in ports]
        ids = [answer.headers["x-request-id"] for answer in answers]
        for _ in range(3):
            get(ports[0], "/nowhere")
            get(ports[0], "/health/live")
        counts = [
            re.findall(rb'requests_total{operation="none",status="200"} (\d+)', get(port, "/metrics")[2])
            for port in ports
        ]
        public = server.get("/metrics")[0]

    assert len({each.partition("-")[0] for each in ids}) == 2
    assert counts == [[b"4"], [b"1"]]
    assert public == 404


def test_every_worker_reloads_the_catalogue(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        server.process.send_signal(signal.SIGHUP)
        server.logged("the catalogue was reloaded", times=2)
        status = server.get("/health/live")[0]

    assert status == 200


def test_new_clients_are_refused_once_all_workers_have_stopped_listening(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port)) as slow:
        headers = {**HEADERS, "host": "x", "content-type": "application/json", "content-length": "9"}
        lines = [f"POST /api/checkout/{uuid4()}/items HTTP/1.1", *(f"{n}: {v}" for n, v in headers.items())]
        slow.sendall("\r\n".join([*lines, "", "{"]).encode())
        time.sleep(0.2)
        server.process.terminate()
        server.logged("as /health/ready now reports", times=2)
        time.sleep(1)
        assert server.process.poll() is None
        with pytest.raises(ConnectionRefusedError):
            server.get("/health/live")


def test_workers_end_with_a_killed_supervisor(tmp_path: Path) -> None:
    with two_workers(tmp_path) as server:
        pair = workers(server)
        server.process.kill()
        for worker in pair:
            wait_until_ended(worker)


def test_several_workers_have_no_metrics_without_a_management_port(tmp_path: Path) -> None:
    with program(tmp_path, "--workers", "2") as server:
        statuses = [server.get(path)[0] for path in ("/metrics", "/openapi.json", "/health/ready")]

    assert statuses == [404, 200, 200]


def test_development_has_one_process() -> None:
    result = run("serve", "--dev", "--workers", "2")

    assert told(result)[0] == ["the key of the development issuer is known to one process: remove --workers"]


@pytest.mark.parametrize("number", ["0", "257", "two", "-1"])
def test_invalid_numbers_of_workers_are_refused(number: str) -> None:
    assert run("serve", "--workers", number).exit_code == 2


def test_workers_need_a_system_that_can_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")

    faults = [*port_faults(Ports("127.0.0.1", workers=2), AllowedExposures())]

    assert faults == ["this system cannot fork processes: remove --workers"]
