"""A server that other machines can reach exposes nothing by accident, and every channel has a key."""

from __future__ import annotations

import json
import re
import socket
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml

from faregate.catalogue.channels import ChannelKey
from faregate.files import load_catalogue
from faregate_cli.serve import listening, serving
from faregate_server.settings import Settings
from support.cli.running import VILLAGE, program, run, told
from support.processes.program import program as served
from support.service.service import KEY, KEYS, PARTNERS, VALLEY_STATION, WEBSHOP, keyed, running

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from faregate_cli.serve.preparing import Prepared

pytestmark = pytest.mark.slow

IDENTITY = ("--identity-issuer", "https://login.example", "--identity-audience", "tickets")
SOLD = ("--catalogue", str(VILLAGE))
ENTRY = f'{{name: tests, sha256: "{KEYS[WEBSHOP]}"}}'
PUBLIC_URL = ("--public-url", "https://tickets.example")
DEMO, SANDBOX, NO_URL = "the demo resort is for sale", "the sandbox takes no money", "without a public URL"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Prepared]:
    """Return the list that collects what would have been served, without listening."""
    starts: list[Prepared] = []
    monkeypatch.setattr(serving, "serve", lambda prepared, **_: starts.append(prepared))
    monkeypatch.setenv("FAREGATE_DATABASE", f"sqlite:///{tmp_path}/x.db")
    monkeypatch.setenv("FAREGATE_TOKEN_SECRET", "-" * 32)
    return starts


def refusals(*options: str, host: str = "0.0.0.0") -> list[str]:
    """Return the refusals of a start on *host*; empty if it would have been served."""
    result = run("serve", "--host", host, *options)
    return list(told(result)[0]) if result.exit_code else []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "tickets.example"])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), [DEMO, SANDBOX]),
        (SOLD, [SANDBOX]),
        (("--allow-demo",), [SANDBOX]),
        (("--sandbox",), [DEMO]),
        (IDENTITY, [DEMO, NO_URL]),
        ((*IDENTITY, *SOLD), [NO_URL]),
        ((*IDENTITY, *SOLD, "--sandbox"), [NO_URL]),
        ((*IDENTITY, *PUBLIC_URL), [DEMO]),
        ((*IDENTITY, "--allow-no-public-url"), [DEMO]),
    ],
)
def test_all_unwanted_exposures_are_refused_together_with_their_remedies(
    started: list[Prepared], host: str, options: Sequence[str], expected: list[str]
) -> None:
    found = refusals(*options, host=host)

    assert len(found) == len(expected)
    for fault, reason in zip(found, expected, strict=True):
        assert fault.startswith(f"{host} can be reached from other machines, and {reason}")
        assert ": set --" in fault or ": set an identity provider or --no-sandbox" in fault
        assert "or allow this with --" in fault
    assert not started


@pytest.mark.parametrize(
    "options",
    [
        ("--allow-demo", "--sandbox"),
        (*SOLD, "--no-sandbox"),
        (*IDENTITY, *SOLD, *PUBLIC_URL),
        (*IDENTITY, *SOLD, "--allow-no-public-url"),
        (*IDENTITY, "--allow-demo", "--allow-no-public-url", "--sandbox"),
    ],
)
def test_explicitly_allowed_exposures_are_served(started: list[Prepared], options: Sequence[str]) -> None:
    assert refusals(*options) == []
    assert len(started) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_local_clients_see_everything(started: list[Prepared], host: str) -> None:
    assert refusals(host=host) == refusals(*IDENTITY, host=host) == []
    assert all(one.settings.has_metrics and one.settings.has_documents for one in started)


@pytest.mark.parametrize(
    ("options", "has_metrics", "has_documents"),
    [((), False, False), (("--expose-metrics",), True, False), (("--expose-docs",), False, True)],
)
def test_others_see_metrics_and_documents_only_if_exposed(
    started: list[Prepared], options: Sequence[str], has_metrics: bool, has_documents: bool
) -> None:
    refusals(*SOLD, "--no-sandbox", *options)

    (settings,) = (one.settings for one in started)
    assert (settings.has_metrics, settings.has_documents) == (has_metrics, has_documents)


@pytest.mark.parametrize(
    ("settings", "hidden"),
    [
        ({"has_metrics": False}, {"/metrics"}),
        ({"has_documents": False}, {"/docs", "/docs/page.js", "/openapi.json"}),
        ({}, set()),
    ],
)
def test_unexposed_pages_are_not_found(tmp_path: Path, settings: dict[str, Any], hidden: set[str]) -> None:
    paths = ("/metrics", "/docs", "/docs/page.js", "/openapi.json", "/health/live", "/health/ready")

    with running(tmp_path, **settings) as client:
        statuses = {path: client.get(path).status_code for path in paths}

    assert statuses == {path: 404 if path in hidden else 200 for path in paths}


@pytest.mark.parametrize("address", ["0.0.0.0", "127.0.0.1"])
def test_a_passed_socket_decides_the_exposure(
    started: list[Prepared], monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    with socket.socket() as kept:
        kept.bind((address, 0))
        monkeypatch.setattr(listening, "_passed", kept.dup)

        found = refusals(host="127.0.0.1" if address == "0.0.0.0" else "0.0.0.0")

    assert [fault.split(",")[0] for fault in found] == (
        ["0.0.0.0 can be reached from other machines"] * 2 if address == "0.0.0.0" else []
    )


def resort(folder: Path, *, is_keyed: bool = False, ends_at: str = "") -> Path:
    """Return the demo resort as an operator's file, with or without keys."""
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    text = keyed(text) if is_keyed else text
    file = folder / "resort.yaml"
    file.write_text(re.sub(r'(sha256: ".*")}', rf"\1{ends_at}}}", text), "utf-8")
    return file


@pytest.mark.parametrize("over", ["", ', endsAt: "2024-01-01T00:00:00Z"'])
def test_a_protected_channel_without_a_live_key_stops_the_start(
    started: list[Prepared], tmp_path: Path, over: str
) -> None:
    file = resort(tmp_path, is_keyed=bool(over), ends_at=over)

    found = refusals("--catalogue", str(file), host="127.0.0.1")

    assert [fault.split(" (")[0] for fault in found] == [
        f"channel {VALLEY_STATION}",
        f"channel {PARTNERS}",
    ]
    for fault in found:
        assert "is protected but has no live key: make one with faregate channel-key" in fault
    assert not started


def test_with_a_live_key_per_channel_the_server_makes_no_keys(
    started: list[Prepared], tmp_path: Path
) -> None:
    file = resort(tmp_path, is_keyed=True)

    assert refusals("--catalogue", str(file), host="127.0.0.1") == []
    assert [(one.keys, one.settings.channel_keys) for one in started] == [({}, {})]


@pytest.mark.parametrize("options", [(), ("--dev",), ("--dev", "--catalogue", "{file}")])
def test_in_development_and_for_the_demo_each_start_makes_new_keys(
    started: list[Prepared], tmp_path: Path, options: Sequence[str]
) -> None:
    file = resort(tmp_path)
    for _ in range(2):
        assert refusals(*(option.format(file=file) for option in options), host="127.0.0.1") == []

    first, second = (one.keys for one in started)
    assert first.keys() == second.keys() == {VALLEY_STATION, PARTNERS}
    assert not {*first.values()} & {*second.values()}


def test_new_keys_are_printed_once_and_open_their_channels(tmp_path: Path) -> None:
    with served(tmp_path, "--dev", "--log-requests") as server:
        assert server.process.stdout is not None
        printed = server.printed
        while f"service-channel-uuid {PARTNERS}" not in printed:
            printed += next(server.process.stdout).decode()
        keys = dict(re.findall(r"service-channel-uuid (\S+), service-channel-key (\S+)", printed))
        statuses = {
            (channel, key == keys.get(channel)): status_of(server.address, channel, key)
            for channel in (WEBSHOP, VALLEY_STATION, PARTNERS)
            for key in ("", *keys.values())
        }
        server.process.terminate()
        server.ended()
        rest = server.process.stdout.read()
    log = server.log.read_bytes()

    assert keys.keys() == {VALLEY_STATION, PARTNERS}
    # Partners sell no day ticket: the difference shows that the channel itself is known.
    assert {asked: found[1] == "unknown-channel" for asked, found in statuses.items()} == {
        (WEBSHOP, False): False,
        (VALLEY_STATION, True): False,
        (VALLEY_STATION, False): True,
        (PARTNERS, True): False,
        (PARTNERS, False): True,
    }
    for key in keys.values():
        assert printed.count(key) == 1
        assert key.encode() not in rest + log


def status_of(address: str, channel: str, key: str) -> tuple[int, Any]:
    """Return status and problem code of a product page on *channel* with *key*."""
    headers = {"service-channel-uuid": channel, "service-channel-key": key, "accept-language": "en"}
    try:
        with urlopen(Request(f"{address}/api/products/day-ticket", headers=headers), timeout=30) as answer:
            return answer.status, None
    except HTTPError as error:
        return error.code, json.loads(error.read())["code"]


def test_a_key_is_printed_with_its_catalogue_entry(tmp_path: Path) -> None:
    header, entry = run("channel-key", "--name", "till 3: left").stdout.splitlines()
    (key,) = yaml.safe_load(entry)["keys"]
    file = tmp_path / "village.yaml"
    text = re.sub(r"keys: .*", entry, VILLAGE.read_text("utf-8"))
    file.write_text(text, "utf-8")

    assert header.startswith("service-channel-key: ")
    assert len(header.split()[1]) == 43
    assert load_catalogue(file).channels[1].keys == (ChannelKey(name="till 3: left", sha256=key["sha256"]),)


def test_every_key_is_new_and_available_as_json() -> None:
    made = [json.loads(run("channel-key", "--json").stdout) for _ in range(2)]

    assert [one.keys() for one in made] == [{"key", "entry"}] * 2
    assert made[0]["key"] != made[1]["key"]
    assert made[0]["entry"]["sha256"] != made[1]["entry"]["sha256"]


def test_login_at_a_server_with_only_protected_channels_needs_a_key(tmp_path: Path) -> None:
    file = tmp_path / "tills.yaml"
    text = VILLAGE.read_text("utf-8").replace("type: WEB}", "type: POS}")
    file.write_text(text.replace("type: POS}", f"type: POS, keys: [{ENTRY}]}}"), "utf-8")

    with served(tmp_path, "--dev", "--catalogue", str(file)) as server:
        channel = load_catalogue(file).channels[0].uuid
        asked = ("token", "--server", f"http://127.0.0.1:{server.port}", "--channel", channel)
        without, wrong, right = (
            program(*asked, *key) for key in ((), ("--channel-key", f"B{KEY[1:]}"), ("--channel-key", KEY))
        )

    assert (without.returncode, wrong.returncode, right.returncode) == (1, 1, 0)
    assert without.stderr == wrong.stderr
    assert b"unknown sales channel" in without.stderr


def test_settings_show_no_secrets() -> None:
    assert "e" * 64 not in repr(Settings(channel_keys={WEBSHOP: "e" * 64}))
