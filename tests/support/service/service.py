"""A running service for tests: a client, a controllable clock, and request bodies.

It is not in ``tests/http``, since the standard library has a package of that name.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias
from uuid import uuid4

from starlette.testclient import TestClient

from faregate.catalogue.catalogue import Catalogue
from faregate_http.channels import Channels
from faregate_http.options import FailureLimit
from faregate_http.throttling import Throttle
from faregate_server.app import create_app
from faregate_server.settings import Settings
from support.service.unlimited import UNLIMITED
from support.specification.openapi_conformity import Conformity
from support.stores.sqlite import new_database

Json: TypeAlias = dict[str, Any]

WEBSHOP = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"
VALLEY_STATION = "2b1f0a52-6d3e-4f0b-9a47-51c2e8d90b13"
PARTNERS = "c4a8e913-27f5-4d6a-b0c1-8e5d3f7a9264"

KEY = "A" * 43
_SHA256 = sha256(bytes(32)).hexdigest()
KEYS = dict.fromkeys(
    (
        WEBSHOP,
        VALLEY_STATION,
        PARTNERS,
        "00000000-0000-4000-8000-0000000000c0",
        "00000000-0000-4000-8000-000000000102",
        "00000000-0000-4000-8000-000000000092",
    ),
    _SHA256,
)
"""The key of the protected channels of the test shops."""

ONE_REQUEST = "one-request"
"""The request id of all requests, so that equal responses have equal headers."""

HEADERS = {
    "service-channel-uuid": WEBSHOP,
    "service-channel-key": KEY,
    "accept-language": "en",
    "accept-encoding": "identity",
    "x-request-id": ONE_REQUEST,
}
"""Default headers of clients; without compression, so that ETags are those of the representation."""

START = datetime(2026, 12, 1, 8, 30, tzinfo=UTC)
SUNDAY = {"from": "2026-12-27", "to": "2026-12-27"}

_CONFORMITY = Conformity()


class Clock:
    """A clock that stands still until it is turned."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **by: float) -> None:
        """Advance by ``minutes=31``, ``seconds=-5`` and so on."""
        self.now += timedelta(**by)


def keyed(text: str) -> str:
    """Return the catalogue *text* with a key for each protected channel."""
    return re.sub(
        r"    type: (POS|CONSUMPTION)\n", rf'\g<0>    keys: [{{name: tests, sha256: "{_SHA256}"}}]\n', text
    )


def channels_of(catalogue: Catalogue) -> Channels:
    """Return the channels of *catalogue*; the protected ones have no valid key."""
    return Channels(catalogue, Throttle(FailureLimit(30, 600), monotonic), Clock(), more_keys={})


def on_site(folder: Path) -> Path:
    """Write the demo resort to a file; its web shop accepts payments on site, and so is protected."""
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    file = folder / "on-site.yaml"
    file.write_text(text.replace("    type: WEB\n", "    type: WEB\n    canPayOnSite: true\n", 1), "utf-8")
    return file


@contextmanager
def running(
    folder: Path,
    *,
    catalogue: Path | None = None,
    clock: Callable[[], datetime] | None = None,
    channel: str = WEBSHOP,
    raise_server_exceptions: bool = True,
    timer: Callable[[], float] = monotonic,
    **others: Any,
) -> Iterator[TestClient]:
    """Yield a client of a service with its checkouts in *folder*, in English on *channel*.

    *others* are further settings; rate and hold limits are off by default. Every response is checked against
    the OpenAPI document.
    """
    settings = Settings(
        database=new_database(folder / "checkouts.db"),
        catalogue=catalogue,
        **{"channel_keys": KEYS, **UNLIMITED, **others},
    )
    app = create_app(settings, clock=clock or Clock(), timer=timer)
    headers = {**HEADERS, "service-channel-uuid": channel}
    with TestClient(
        app,
        base_url="http://localhost",
        headers=headers,
        raise_server_exceptions=raise_server_exceptions,
        client=("127.0.0.1", 50_000),
    ) as client:
        client.event_hooks = {"response": [_CONFORMITY]}
        yield client


def item(item_id: int, variant: int, **overrides: Any) -> Json:
    """Return a request for one unit, with all seven fields; *overrides* use the JSON names."""
    return {
        "id": item_id,
        "productVariantId": variant,
        "personId": None,
        "validity": None,
        "parentItemId": None,
        "originatedItemId": None,
        "discountCardTypeId": None,
        **overrides,
    }


def day_ticket(item_id: int, variant: int = 101, **overrides: Any) -> Json:
    """Return a request for a day ticket of the demo resort, for a Sunday in winter."""
    return item(item_id, variant, **{"validity": SUNDAY, **overrides})


def new_url() -> str:
    """Return the path of a checkout that does not exist yet."""
    return f"/api/checkout/{uuid4()}"


def open_checkout(client: TestClient, *items: Json) -> tuple[str, Json]:
    """Open a checkout with *items*; return its path and the response."""
    url = new_url()
    return url, data_of(client.post(f"{url}/items", json={"items": items}))


def enter(client: TestClient, url: str, code: str) -> Json:
    """Enter a code; return the checkout."""
    return data_of(client.post(f"{url}/vouchers", json={"voucherCode": code}))


def answer(client: TestClient, url: str, **values: Any) -> Json:
    """Answer questions of the form; return the checkout."""
    return data_of(client.post(f"{url}/checkout-conditions", json={"formValues": values}))


def data_of(response: Any) -> Json:
    """Return the checkout of a response that must succeed, with exact numbers."""
    assert response.status_code == 200, response.text
    return decoded(response)["data"]  # type: ignore[no-any-return]


def decoded(response: Any) -> Json:
    """Return the JSON of a response, with fractions as Decimal."""
    return json.loads(response.content, parse_float=Decimal)  # type: ignore[no-any-return]
