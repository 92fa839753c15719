"""The log of `faregate serve`: lines for machines or people, each with its request."""

import json
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest

from support.processes.program import program

pytestmark = pytest.mark.slow

CODE = "GIFT-100"
CHANNEL = {"service-channel-uuid": "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77", "x-request-id": "asked-by-me"}


def log_of(folder: Path, *options: str, **variables: str) -> str:
    """Return the log of a server that was asked for a missing checkout, and then ended."""
    with program(folder, *options, variables=variables) as server:
        address = f"{server.address}/api/checkout/{uuid4()}"
        httpx2.delete(f"{address}/vouchers/{CODE}", headers=CHANNEL, timeout=30, trust_env=False)
        server.process.terminate()
        server.ended()
    return server.log.read_text("utf-8")


def test_every_line_is_one_json_object(tmp_path: Path) -> None:
    log = log_of(tmp_path, "--log-requests", FAREGATE_DATABSE="sqlite:///elsewhere.db", FAREGATE_SEED="7")

    assert CODE not in log
    lines = [json.loads(line) for line in log.splitlines()]
    assert all({"event", "level", "logger", "timestamp"} <= line.keys() for line in lines)
    assert "color_message" not in {key for line in lines for key in line}
    assert lines[0]["event"] == "FAREGATE_DATABSE is not a setting: did you mean FAREGATE_DATABASE?"
    assert lines[1]["event"] == f"time zones of tzdata {version('tzdata')}"
    assert lines[2]["event"].startswith("listening on 127.0.0.1, port ")
    assert "FAREGATE_SEED" not in log
    (request,) = [line for line in lines if line["logger"] == "faregate.http.requests"]
    request.pop("timestamp")
    assert request.pop("milliseconds") >= 0
    assert request == {
        "event": "DELETE /api/checkout/{checkoutId}/vouchers/{code}: 404",
        "level": "info",
        "logger": "faregate.http.requests",
        "operation": "dropCode",
        "status": 404,
        "problem": "unknown-checkout",
        "request_id": "asked-by-me",
    }


def test_text_format_is_readable_by_people(tmp_path: Path) -> None:
    log = log_of(tmp_path, "--log-requests", "--log-format", "text")

    line = next(line for line in log.splitlines() if "DELETE" in line)
    assert "request_id=asked-by-me" in line
    assert "problem=unknown-checkout" in line
    assert "\x1b" not in log  # no colours without a terminal
    assert not line.startswith("{")
    assert CODE not in log
