"""The service on this machine: start it, and say how to talk to it."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import replace
from datetime import date, datetime, timedelta
from secrets import token_bytes
from typing import TYPE_CHECKING
from uuid import uuid4

import uvicorn

from faregate.catalogue import ChannelType, ProductType
from faregate_cli.bill import read_catalogue
from faregate_cli.exchange import Exchange, set_aside
from faregate_cli.listening import listening_on
from faregate_cli.patience import PatientConnection
from faregate_cli.server import Server
from faregate_http.app import create_app
from faregate_http.identity.access_tokens import signing_key
from faregate_http.settings import SHORTEST_SECRET, InvalidSettings, is_loopback
from faregate_http.store import migrate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from faregate.catalogue import Catalogue, Channel, Product
    from faregate_http.settings import Settings

__all__ = ["example_call", "secret_of", "serve"]

_SECRET = "FAREGATE_TOKEN_SECRET"

# Longer than load balancers keep connections, which is a minute as a rule: whoever would send on one must be
# the one that closes it.
_KEEP_ALIVE_SECONDS = 75

_SUMMER = (7, 1)


def secret_of(file: Path | None) -> bytes | None:
    """What signs the service's own tokens: what *file* holds, but for line ends, or the environment.

    Raises:
        InvalidSettings: both are given, or the file cannot be read.
    """
    # Its bytes as they are: a secret need not be text.
    given = os.fsencode(os.environ.get(_SECRET, "")) or None
    if file is None:
        return given
    if given is not None:
        raise InvalidSettings(f"there are two token secrets: take away {_SECRET} or the file {file}")
    try:
        return file.read_bytes().rstrip(b"\r\n")
    except OSError as error:
        raise InvalidSettings(f"{file}: cannot be read: {error.strerror}") from None


def serve(settings: Settings, *, host: str, port: int, drain_seconds: float = 0) -> None:
    """Serve until told to stop; what has come is answered first. Port 0 is any free one.

    Between being told and stopping it goes on for *drain_seconds*, and says that it is not ready. A socket
    that another process keeps is listened on instead, if one is passed on as systemd does it.

    Raises:
        InvalidCatalogue: lists every fault of the catalogue.
        InvalidSettings: the development issuer would be reached from elsewhere; the secret cannot be one;
            what is passed on cannot be listened on.
        StoreError: the database cannot be used.
    """
    _check_host(host, settings)
    if settings.secret is not None:
        signing_key(settings.secret)  # refused before anything is made or listens
    sold = read_catalogue(settings.catalogue)
    migrate(settings.database)
    config = uvicorn.Config(
        "",
        host=host,
        port=port,
        access_log=False,
        log_config=None,  # as it was set up already
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        lifespan="on",
        http=PatientConnection,
        ws="none",
    )
    with listening_on(config) as listening:
        base_url = f"http://{_address(host)}:{listening.getsockname()[1]}"
        config.app = service = _service(settings, base_url)
        _say_what_to_try(settings, sold, base_url)
        set_aside()
        Server(config, service, drain_seconds=drain_seconds).run(sockets=[listening])


def _service(settings: Settings, base_url: str) -> Exchange:
    if settings.is_development:
        # Now that the port is known: the issuer is named for where it is found. Its tokens outlive a change
        # of the catalogue.
        secret = settings.token_secret or token_bytes(SHORTEST_SECRET)
        settings = replace(settings, public_url=settings.public_url or base_url, token_secret=secret)
    return Exchange(lambda: create_app(settings))


def _say_what_to_try(settings: Settings, sold: Catalogue, base_url: str) -> None:
    today = datetime.now().astimezone().date()
    example = example_call(sold, base_url, today)
    print(f"\nOpen a checkout with a ticket in it:\n\n  {example}\n", flush=True)
    if settings.is_development:
        print(f"Log in, as anyone:\n\n  {shlex.join(_token_command(sold, base_url))}\n", flush=True)


def example_call(catalogue: Catalogue, base_url: str, today: date) -> str:
    """A command line that opens a checkout with one item of *catalogue*; it is valid after *today*."""
    channel = _example_channel(catalogue)
    product = next(product for product in catalogue.products if _is_example(product, channel))
    item = {
        "id": 1,
        "productVariantId": product.variants[0].id,
        "personId": None,
        "validity": _validity(product, today),
        "parentItemId": None,
        "originatedItemId": None,
        "discountCardTypeId": None,
    }
    headers = {
        "service-channel-uuid": channel.uuid,
        "accept-language": "en",
        "content-type": "application/json",
    }
    command = ["curl", "-s", f"{base_url}/api/checkout/{uuid4()}/items"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    return shlex.join([*command, "-d", json.dumps({"items": [item]}, separators=(",", ":"))])


def _example_channel(catalogue: Catalogue) -> Channel:
    return min(catalogue.channels, key=lambda channel: channel.type is not ChannelType.WEB)


def _token_command(catalogue: Catalogue, base_url: str) -> list[str]:
    channel = _example_channel(catalogue).uuid
    return ["faregate", "token", "--server", base_url, "--channel", channel]


def _check_host(host: str, settings: Settings) -> None:
    if settings.is_development and not is_loopback(host):
        raise InvalidSettings(
            f"the development issuer gives anyone the token of anyone: {host} is not of this machine alone"
        )


def _is_example(product: Product, channel: Channel) -> bool:
    return product.standalone and product.type is not ProductType.FEE and channel.sells(product)


def _validity(product: Product, today: date) -> Mapping[str, str] | None:
    """The first duration of *product* from the next first of July."""
    if not product.has_validity:
        return None
    start = date(today.year, *_SUMMER)
    if start <= today:
        start = date(today.year + 1, *_SUMMER)
    days = product.durations[0].days if product.durations else 1
    end = start + timedelta(days=max(days, 1) - 1)
    return {"from": start.isoformat(), "to": end.isoformat()}


def _address(host: str) -> str:
    """*host* in a URL that this machine can open."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - what is listened on, not chosen here
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
