"""Services with the operator's own parts, run by faregate serve."""

from __future__ import annotations

import json
import re
import signal
import sys
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

import pytest

from faregate.files import demo_catalogue
from faregate_cli.serve.applications import maker_of
from faregate_server.app import create_app
from faregate_server.settings import InvalidSettings, Settings
from support.processes.program import program as served

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SHOP = """
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from faregate_server.app import create_app

NUMBER = 7

def create(settings):
    async def hello(request):
        return PlainTextResponse(f"kept in {settings.database}")

    made = create_app(settings)
    made.router.routes.append(Route("/hello", hello))
    return made
"""


def test_application_created_by_a_function_is_served_with_the_settings(tmp_path: Path) -> None:
    (tmp_path / "own_shop.py").write_text(SHOP, encoding="utf-8")
    options = ["--application", "own_shop:create", "--database", "sqlite:///own.db"]

    with served(tmp_path, *options) as server:
        answers = [urlopen(f"{server.address}/{path}").read() for path in ("hello", "health/ready")]
        server.process.terminate()
        status = server.ended()

    assert answers[0] == b"kept in sqlite:///own.db"
    assert b"ready" in answers[1]
    assert status == 0


OF_A_LOADER = """
from pathlib import Path

from faregate.catalogue.price_rules import PriceRule
from faregate.files import demo_catalogue
from faregate_cli.serve import reloading
from faregate_server.app import create_app

reloading.WATCH_SECONDS = 0.05
RULES = Path("rules.txt")
VARIANT = demo_catalogue().product(11).variants[0].id

class Prices:
    def load(self):
        return demo_catalogue().with_prices(VARIANT, [PriceRule(int(RULES.read_text()))])

    def revision(self):
        return RULES.read_text()

def create(settings):
    return create_app(settings, catalogue=Prices())
"""


def gate_price(address: str) -> int:
    """Return the cents of a day ticket at the gate."""
    query = {
        "valid_from": "2030-07-01T09:00:00+02:00",
        "order_date": "2030-06-20T18:22:05Z",
        "quantity": 1,
        "currency_code": "CHF",
        "dta_product_id": 1,
        "dta_consumer_category": 1,
    }
    request = Request(
        f"{address}/api/pricing/external/prices/access",
        json.dumps(query).encode(),
        {"content-type": "application/json"},
    )
    return int(json.loads(urlopen(request).read())["unit_price_cents"])


def test_a_loader_is_called_again_when_its_revision_changes(tmp_path: Path) -> None:
    (tmp_path / "own_prices.py").write_text(OF_A_LOADER, encoding="utf-8")
    rules = tmp_path / "rules.txt"
    rules.write_text("4200")

    with served(tmp_path, "--application", "own_prices:create") as server:
        before = gate_price(server.address)
        rules.write_text("-1")
        server.logged("negative price -1")
        rules.unlink()
        server.logged("No such file or directory: 'rules.txt'")
        refused = gate_price(server.address)
        rules.write_text("4300")
        server.logged("reloaded and is now in use")
        after = gate_price(server.address)
        log = server.log.read_text(encoding="utf-8")

    assert (before, refused, after) == (4200, 4200, 4300)
    assert log.count("negative price -1") == 1  # a revision is tried once


def test_a_catalogue_and_a_catalogue_file_together_are_refused(tmp_path: Path) -> None:
    settings = Settings(database="sqlite:///own.db", catalogue=tmp_path / "resort.yaml")

    with pytest.raises(InvalidSettings, match="two catalogues are given"):
        create_app(settings, catalogue=demo_catalogue())


def test_without_a_name_the_service_itself_is_served() -> None:
    assert maker_of(None) is create_app


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("shop", "shop: expected a module and its function, as in shop:create"),
        (":create", ":create: expected a module and its function, as in shop:create"),
        ("shop:", "shop:: expected a module and its function, as in shop:create"),
        ("shop:a.b", "shop:a.b: expected a module and its function, as in shop:create"),
        ("absent_shop:create", "absent_shop cannot be imported: No module named 'absent_shop'"),
        (".:create", ". cannot be imported: "),
        ("faulty_shop:create", "faulty_shop cannot be imported: division by zero"),
        ("named_shop:creat", "named_shop has no function creat"),
        ("named_shop:NUMBER", "named_shop has no function NUMBER"),
    ],
)
def test_missing_functions_are_reported(
    name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "faulty_shop.py").write_text("1 / 0", encoding="utf-8")
    (tmp_path / "named_shop.py").write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    with pytest.raises(InvalidSettings, match=f"^{re.escape(fault)}"):
        maker_of(name)


TELLING_OF_ITSELF = """
import logging
import os
import signal
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from faregate_server.telemetry.metrics import Metrics
from faregate_http.telemetry import TelemetryMiddleware

log = logging.getLogger("shop")

async def hang_up(request):
    log.warning("it hangs up")
    os.kill(os.getpid(), signal.SIGHUP)
    return PlainTextResponse("hung up")

@asynccontextmanager
async def life(app):
    log.warning("it begins")
    yield {}

def create(settings):
    log.warning("it is made")
    observed = Middleware(TelemetryMiddleware, telemetry=Metrics())
    return Starlette(routes=[Route("/", hang_up)], middleware=[observed], lifespan=life)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals are those of POSIX")
def test_work_started_by_a_signal_belongs_to_no_request(tmp_path: Path) -> None:
    (tmp_path / "telling_shop.py").write_text(TELLING_OF_ITSELF, encoding="utf-8")

    with served(tmp_path, "--application", "telling_shop:create") as server:
        status, headers, _ = server.get("/")
        server.logged("reloaded and is now in use")
        lines = [json.loads(line) for line in server.log.read_text(encoding="utf-8").splitlines()]

    told = {line["event"]: line.get("request_id") for line in lines}
    assert (status, told["it hangs up"]) == (200, headers["x-request-id"])
    assert [line["event"] for line in lines].count("it begins") == 2
    assert {event for event, request in told.items() if request} == {"it hangs up"}
