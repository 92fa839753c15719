"""With a management port, operators' paths are served there only, and everything else on the public port."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING

import pytest

from faregate_cli.serve import serving
from faregate_cli.serve.exposure import AllowedExposures
from faregate_cli.serve.ports import Ports, port_faults
from support.cli.running import run, told
from support.processes.program import Program, get, program

if TYPE_CHECKING:
    from pathlib import Path

    from faregate_cli.serve.preparing import Prepared

HEALTH = ("/health/live", "/health/ready")
MANAGED = ("/metrics", "/openapi.json", "/docs", "/docs/page.css")
PUBLIC = ("/", "/api/products/day-ticket")


def management_ports(server: Program) -> list[int]:
    """Return the management ports in the server's log."""
    log = server.log.read_text(encoding="utf-8")
    return [int(port) for port in re.findall(r"listening for operators on 127\.0\.0\.1, port (\d+)", log)]


@pytest.mark.slow
def test_each_port_serves_its_own_paths_and_both_serve_health(tmp_path: Path) -> None:
    with program(tmp_path, "--dev", "--management-port", "0") as server:
        (managing,) = management_ports(server)
        public = {path: server.get(path)[0] for path in (*HEALTH, *MANAGED, *PUBLIC)}
        managed = {path: get(managing, path)[0] for path in (*HEALTH, *MANAGED, *PUBLIC)}
        _, headers, body = server.get("/metrics")

    assert public == {**dict.fromkeys((*HEALTH, *PUBLIC), 200), **dict.fromkeys(MANAGED, 404)}
    assert managed == {**dict.fromkeys((*HEALTH, *MANAGED), 200), **dict.fromkeys(PUBLIC, 404)}
    assert headers["content-type"] == "application/problem+json"
    assert b'"not-found"' in body


@pytest.mark.slow
def test_other_spellings_do_not_reach_operators_paths_on_the_public_port(tmp_path: Path) -> None:
    paths = ("/%6detrics", "/metrics/", "//metrics", "/docs/", "/docs/../metrics", "/metrics%0A")

    with program(tmp_path, "--management-port", "0") as server:
        statuses = [server.get(path)[0] for path in paths]

    assert statuses == [404] * len(paths)


@pytest.mark.slow
def test_the_management_port_answers_when_all_connections_are_taken(tmp_path: Path) -> None:
    limit = ("sh", "-c", 'ulimit -n 140; exec "$@"', "sh")  # twelve connections
    with program(tmp_path, "--management-port", "0", before=limit) as server:
        (managing,) = management_ports(server)
        taken = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(12)]
        statuses = server.get("/health/live")[0], get(managing, "/health/live")[0]
        for each in taken:
            each.close()

    assert statuses == (503, 200)


@pytest.mark.parametrize(
    ("ports", "allowed", "faults"),
    [
        (Ports("127.0.0.1"), AllowedExposures(metrics=True, documents=True), []),
        (Ports("0.0.0.0", management_port=9000), AllowedExposures(), []),
        (
            Ports("0.0.0.0", management_port=9000),
            AllowedExposures(metrics=True, documents=True),
            [
                "--expose-metrics is for one port, but --management-port is set: remove one of them",
                "--expose-docs is for one port, but --management-port is set: remove one of them",
            ],
        ),
        (Ports("127.0.0.1", workers=2), AllowedExposures(documents=True), []),
        (
            Ports("127.0.0.1", workers=2),
            AllowedExposures(metrics=True),
            ["each worker has its own metrics: set --management-port instead of --expose-metrics"],
        ),
        (Ports("127.0.0.1", management_port=65_534, workers=2), AllowedExposures(), []),
        (
            Ports("127.0.0.1", management_port=65_534, workers=3),
            AllowedExposures(),
            ["3 workers need the management ports from 65534: choose a lower port"],
        ),
    ],
)
def test_contradictory_ports_are_refused(ports: Ports, allowed: AllowedExposures, faults: list[str]) -> None:
    assert [*port_faults(ports, allowed)] == faults


def test_a_management_port_on_any_address_enables_what_it_serves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    starts: list[Prepared] = []
    monkeypatch.setattr(serving, "serve", lambda prepared, **_: starts.append(prepared))

    run("serve", "--host", "0.0.0.0", "--allow-demo", "--sandbox", "--management-port", "9000")

    (settings,) = (one.settings for one in starts)
    assert (settings.has_metrics, settings.has_documents) == (True, True)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
def test_the_public_port_cannot_be_the_management_port(tmp_path: Path, host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    given = ("--port", port, "--management-port", port, "--management-host", host)

    result = run("serve", *given, "--database", f"sqlite:///{tmp_path}/x.db")

    assert result.exit_code == 1
    assert "--management-port" in told(result)[0][0]
    assert not (tmp_path / "x.db").exists()
