"""The command that serves: its printed instructions work, and failures are one line."""

import gzip
import json
import shlex
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from faregate.files import demo_catalogue
from faregate_cli.serve.serving import example_call
from faregate_server.store.locations import shown
from support.cli.running import VILLAGE, run, told
from support.processes.program import program as served
from support.service.service import HEADERS


def call(printed: str) -> tuple[int, dict[str, object]]:
    """Return status and JSON of the curl command at the end of *printed*."""
    words = shlex.split(printed.splitlines()[-1])
    assert words[:2] == ["curl", "-s"]
    options = list(zip(words[3::2], words[4::2], strict=True))
    headers = dict(value.split(": ", 1) for name, value in options if name == "-H")
    request = Request(words[2], dict(options)["-d"].encode(), headers)
    try:
        with urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read())
    except HTTPError as error:
        return error.code, json.loads(error.read())


@pytest.mark.parametrize("options", [(), ("--catalogue", VILLAGE)], ids=["demo resort", "a catalogue"])
def test_printed_instructions_work(tmp_path: Path, options: tuple[str | Path, ...]) -> None:
    with served(tmp_path, *options) as server:
        status, answer = call(server.printed)

    assert status == 200, answer
    assert len(answer["data"]["items"]) == 1  # type: ignore[index]  # JSON
    assert (tmp_path / "faregate.db").exists()


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--dev", "--showcase"])
def test_address_of_the_showcase_is_printed(tmp_path: Path, option: str) -> None:
    with served(tmp_path, option) as server:
        lines = [line.strip() for line in server.printed.splitlines()]
        with urlopen(lines[3], timeout=30) as response:
            page = response.read()

    assert lines[:3] == ["", "Look at it:", ""]
    assert page.startswith(b"<!DOCTYPE html>")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "variables", "coding"),
    [
        ((), {}, "gzip"),
        (("--no-compression",), {}, None),
        ((), {"FAREGATE_COMPRESSION": "0"}, None),
        (("--compression",), {"FAREGATE_COMPRESSION": "0"}, "gzip"),
    ],
)
def test_large_responses_are_compressed_unless_disabled(
    tmp_path: Path, options: tuple[str, ...], variables: dict[str, str], coding: str | None
) -> None:
    with served(tmp_path, *options, variables=variables) as server:
        headers = {**HEADERS, "accept-encoding": "gzip"}
        with urlopen(Request(f"{server.address}/api/products/day-ticket", headers=headers)) as response:
            body = response.read()

    assert response.headers["content-encoding"] == coding
    assert json.loads(gzip.decompress(body) if coding else body)["data"]["id"] == 11


@pytest.mark.slow
def test_interrupt_stops_the_server_without_a_traceback(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        call(server.printed)
        server.process.send_signal(signal.SIGINT)
        status = server.ended()

    errors = server.log.read_text("utf-8")
    assert status == 0
    assert "Traceback" not in errors
    assert "Application shutdown complete" in errors


def test_all_issues_are_listed_before_anything_is_opened(tmp_path: Path) -> None:
    (tmp_path / "faulty.yaml").write_text("currency: XXX\nmerchants: 5\n")
    options: dict[str, str | Path] = {
        "--token-secret-file": "none.key",
        "--identity-issuer": "http://login.example",
        "--identity-audience": "tickets",
        "--trusted-proxies": "proxy.example",
        "--host": "example.com",
        "--database": "mysql://db/x",
        "--application": "no_shop:create",
        "--catalogue": tmp_path / "faulty.yaml",
    }

    result = run("serve", *(word for pair in options.items() for word in pair))
    faults, outcome = told(result)

    assert (result.exit_code, outcome) == (1, "nothing was served")
    begins = [
        "none.key: cannot be read",
        "the URL of the identity issuer",
        "trusted proxies: 'proxy.example'",
    ]
    begins += ["mysql://db/x: unsupported database mysql", "no_shop cannot be imported"]
    assert [fault[: len(start)] for fault, start in zip(faults, begins, strict=False)] == begins
    assert {fault.split(": ")[0].rpartition("/")[2] for fault in faults[5:]} == {
        "faulty.yaml:1",
        "faulty.yaml:2",
    }


def test_options_of_admission_are_settings(tmp_path: Path) -> None:
    options = ("--database", "mysql://db/x", "--request-seconds", "5")

    faults, _ = told(run("serve", *options, "--max-requests", "3"))
    without, _ = told(run("serve", *options, "--max-requests", "0"))

    late = "admission: expected a wait of at least 0 and less than a third of the deadline, got 2 and 5"
    assert (late in faults, late in without) == (True, False)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--request-seconds", "--drain-seconds"])
@pytest.mark.parametrize("seconds", ["-1", "nan", "soon"])
def test_seconds_are_numbers_from_0(option: str, seconds: str) -> None:
    result = run("serve", option, seconds)

    assert result.exit_code == 2
    assert f"Invalid value for '{option}'" in result.stderr


def test_an_application_that_cannot_be_created_leaves_no_database(tmp_path: Path) -> None:
    (tmp_path / "sad_shop.py").write_text(
        "from faregate_server.settings import InvalidSettings\n\n"
        "def create(settings):\n    raise InvalidSettings('there is no gateway')\n"
    )
    command = [
        sys.executable,
        "-m",
        "faregate_cli",
        "serve",
        "--port",
        "0",
        "--application",
        "sad_shop:create",
    ]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr.splitlines()[:-1]) == (1, ["there is no gateway"])
    assert not [*tmp_path.glob("*.db*")]


@pytest.mark.parametrize(
    ("database", "message"),
    [
        pytest.param("mysql://gate:secret@db/x", "sqlite:///relative.db", id="another kind"),
        pytest.param("sqlite://", "an in-memory database", id="in memory"),
        pytest.param("nonsense", "not a database URL", id="no URL"),
        pytest.param("postgresql://gate:secret@db/x?pool=1", "unknown option pool", id="no such option"),
    ],
)
def test_a_url_without_a_database_is_reported_like_other_issues(database: str, message: str) -> None:
    result = run("serve", "--port", "0", "--database", database)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"{shown(database)}: ")
    assert "secret" not in result.stderr
    assert message in result.stderr
    assert result.stderr.splitlines()[1:] == ["nothing was served: correct the fault above and try again"]


@pytest.mark.parametrize(
    ("database", "message"),
    [
        pytest.param("sqlite:///{folder}/none/x.db", "none does not exist", id="no folder"),
        pytest.param("postgresql://gate:secret@127.0.0.1:1/x", "server is running", id="no server"),
    ],
)
def test_unusable_database_is_reported_in_one_line(tmp_path: Path, database: str, message: str) -> None:
    url = database.format(folder=tmp_path)

    result = run("serve", "--port", "0", "--database", url)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"{shown(url)}: ")
    assert "secret" not in result.stderr
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("now", "first", "end"),
    [
        ("2026-06-30T10:00:00+02:00", "2026-06-30T00:00:00+02:00", "2026-07-01T00:00:00+02:00"),
        ("2026-11-05T10:00:00+01:00", "2026-12-01T00:00:00+01:00", "2026-12-02T00:00:00+01:00"),
    ],
)
def test_example_is_for_the_next_day_on_sale(now: str, first: str, end: str) -> None:
    words = shlex.split(example_call(demo_catalogue(), "http://127.0.0.1:8000", datetime.fromisoformat(now)))

    assert json.loads(words[-1])["items"][0]["validity"] == {"from": first, "to": end}


@pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("::1", "[::1]"), ("::", "127.0.0.1")])
def test_printed_address_can_be_opened(host: str, shown: str) -> None:
    from faregate_cli.serve.serving import _address

    assert _address(host) == shown


@pytest.mark.slow
def test_a_database_is_not_migrated_unless_it_may_be(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/checkouts.db"

    refused = run("serve", "--port", "0", "--no-migrate", "--database", database)

    assert refused.exit_code == 1
    assert "no such file" in refused.stderr
    assert [*tmp_path.iterdir()] == []
    assert run("migrate", database).exit_code == 0
    with (
        served(tmp_path, "--no-migrate", "--database", database) as server,
        urlopen(f"{server.address}/health/ready") as response,
    ):
        assert response.status == 200
