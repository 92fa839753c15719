"""The files in deploy/ use existing options and settings, and agree with the service and each other."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from faregate_cli.serve import serving
from faregate_cli.serve.command import serve
from faregate_cli.serve.middleware import BODY_SECONDS
from faregate_http.options import AdmissionLimits
from support.cli.running import VILLAGE, run, told

DEPLOY = Path(__file__).parents[3] / "deploy"
FILES = sorted(path.name for path in DEPLOY.iterdir() if path.is_file())
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES = COMPOSE["services"]
UNIT = DEPLOY / "faregate.service"


def unit() -> RawConfigParser:
    """Return the systemd unit; of repeated directives, the last."""
    parsed = RawConfigParser(strict=False, delimiters="=", interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read(UNIT, "utf-8")
    return parsed


@pytest.mark.parametrize("name", FILES)
def test_every_option_and_setting_exists(name: str) -> None:
    options = {option for parameter in serve.params for option in parameter.opts}
    settings = {parameter.envvar for parameter in serve.params}
    text = (DEPLOY / name).read_text("utf-8")

    used = re.findall(r'(?:serve|"serve",) (.*)', text)

    assert {option for line in used for option in re.findall(r"--[\w-]+", line)} <= options
    assert set(re.findall(r"FAREGATE_\w+", text)) <= settings


@pytest.mark.parametrize("name", FILES)
def test_the_guide_names_every_file(name: str) -> None:
    assert f"deploy/{name}" in (DEPLOY.parent / "docs/guides/operation.md").read_text("utf-8")


def test_the_service_accepts_the_settings_of_the_compose_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    starts: list[Any] = []
    monkeypatch.setattr(serving, "serve", lambda prepared, **_: starts.append(prepared))
    secret = tmp_path / "secret"
    secret.write_bytes(b"-" * 32)
    given = {
        **SERVICES["faregate"]["environment"],
        "FAREGATE_HOST": "0.0.0.0",
        "FAREGATE_MANAGEMENT_PORT": "9000",
        "FAREGATE_CATALOGUE": str(VILLAGE),
        "FAREGATE_TOKEN_SECRET_FILE": str(secret),
        "FAREGATE_PUBLIC_URL": "https://tickets.example",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    result = run(*SERVICES["faregate"]["command"])

    assert result.exit_code == 0, told(result)
    (settings,) = (one.settings for one in starts)
    assert settings.trusted_proxies == SERVICES["proxy"]["networks"]["default"]["ipv4_address"]
    assert (settings.compression, settings.has_sandbox) == (False, False)


def test_the_compose_file_declares_what_its_services_use() -> None:
    secrets = {name for service in SERVICES.values() for name in service.get("secrets", ())}
    mounts = [each.split(":")[0] for service in SERVICES.values() for each in service.get("volumes", ())]

    assert secrets == COMPOSE["secrets"].keys()
    assert {each for each in mounts if not each.startswith("./")} == COMPOSE["volumes"].keys()
    assert {name for service in SERVICES.values() for name in service.get("depends_on", ())} <= set(SERVICES)
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_the_unit_does_not_run_as_root_and_stops_gently() -> None:
    service = unit()["Service"]

    assert service["DynamicUser"] == "yes"
    assert service["CapabilityBoundingSet"] == ""
    assert service["KillMode"] == "mixed"
    drain = re.search(r"--drain-seconds (\d+)", service["ExecStart"])
    assert drain is not None
    assert int(service["TimeoutStopSec"]) >= int(drain[1]) + 30


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_is_hardened() -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)]

    report = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    level = re.search(r"exposure level for faregate.service: ([\d.]+)", report)
    assert level is not None
    assert float(level[1]) < 3


def test_the_proxy_waits_as_long_as_the_service() -> None:
    text = (DEPLOY / "Caddyfile").read_text("utf-8")
    seconds = {name: float(value) for name, value in re.findall(r"(\w+) (\d+)s$", text, re.MULTILINE)}

    assert text.count("{") == text.count("}")
    assert "health_uri /health/ready\n" in text
    assert "max_size 1MB" in text
    assert "encode zstd gzip\n" in text  # Caddy 2.6 does not compress without names
    assert seconds["read_body"] == BODY_SECONDS
    assert seconds["response_header_timeout"] > AdmissionLimits().request_seconds
    assert seconds["keepalive"] < 75
