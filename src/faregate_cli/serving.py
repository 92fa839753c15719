"""The service on this machine: start it, and say how to talk to it."""

from __future__ import annotations

import gc
import json
import os
import shlex
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import uvicorn

from faregate.catalogue import ChannelType, ProductType
from faregate_cli.bill import read_catalogue
from faregate_cli.connections import Connection
from faregate_http.app import create_app
from faregate_http.identity.access_tokens import signing_key
from faregate_http.settings import InvalidSettings, is_loopback
from faregate_http.store import migrate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from starlette.applications import Starlette

    from faregate.catalogue import Catalogue, Channel, Product
    from faregate_http.settings import Settings

__all__ = ["example_call", "secret_of", "serve"]

_SECRET = "FAREGATE_TOKEN_SECRET"
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


def serve(settings: Settings, *, host: str, port: int) -> None:
    """Serve until interrupted; what is being answered is finished first. Port 0 is any free one.

    Raises:
        InvalidCatalogue: lists every fault of the catalogue.
        InvalidSettings: the development issuer would be reached from elsewhere; the secret cannot be one.
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
        http=Connection,
        ws="none",
    )
    with config.bind_socket() as listening:
        listening.listen(config.backlog)  # who calls before the start is done waits instead of failing
        base_url = f"http://{_address(host)}:{listening.getsockname()[1]}"
        config.app = _application(settings, base_url)
        _say_what_to_try(settings, sold, base_url)
        # What is loaded now stays: passed over by the collector, which else stops the service for 0.1 s at
        # times.
        gc.collect()
        gc.freeze()
        uvicorn.Server(config).run(sockets=[listening])


def _application(settings: Settings, base_url: str) -> Starlette:
    if settings.is_development:
        # Now that the port is known: the issuer is named for where it is found.
        settings = replace(settings, public_url=settings.public_url or base_url)
    return create_app(settings)


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
