"""Starts the service on this machine, and prints instructions for trying it out."""

import json
import logging
import shlex
import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib.metadata import version
from secrets import token_bytes
from types import MappingProxyType
from uuid import uuid4

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.products import Product
from faregate.validity.options import next_available
from faregate_cli.serve.listening import listening_on, management_sockets
from faregate_cli.serve.ports import Ports
from faregate_cli.serve.preparing import Prepared
from faregate_cli.serve.reloading import ReloadingApp, set_aside
from faregate_cli.serve.server import run
from faregate_cli.serve.workers import forked
from faregate_server.demo.showcase.sold import shown_channel, shown_products
from faregate_server.settings import SHORTEST_SECRET, InvalidSettings, Settings
from faregate_server.store.migrate import migrate
from faregate_server.store.opening import check_migrated

_log = logging.getLogger("faregate.serve")


def serve(prepared: Prepared, *, ports: Ports, drain_seconds: float = 0) -> None:
    """Serve the *prepared* application until a signal to stop, and answer all requests received by then.

    Port 0 means any free port.

    After the signal the service reports not ready, but keeps serving for *drain_seconds*. If another process,
    such as systemd, passes a socket, it is used as the public one. The database is opened only once the
    service can listen.

    Raises:
        InvalidSettings: the passed socket, or one of the ports, cannot be listened on.
        FaregateError: the application cannot be made.
        StoreError: the database cannot be used.
    """
    with ExitStack() as opened:
        listening = opened.enter_context(listening_on(ports.host, ports.port))
        managing = [opened.enter_context(each) for each in management_sockets(ports)]
        _check_ports(listening, managing)
        base_url = f"http://{_address(ports.host)}:{listening.getsockname()[1]}"
        settings = _settings_at(base_url, prepared.settings)
        service = ReloadingApp(partial(prepared.make, settings))
        (migrate if settings.migrates else check_migrated)(settings.database)
        _log.info("time zones of tzdata %s", version("tzdata"))
        _log.info("listening on %s, port %d", *listening.getsockname()[:2])
        for each in managing:
            _log.info("listening for operators on %s, port %d", *each.getsockname()[:2])
        _say_what_to_try(prepared, base_url)
        number = 0
        if ports.workers > 1:
            number = forked(ports.workers, opened.close)
            service = ReloadingApp(partial(prepared.make, settings))  # with the catalogue of this moment
        set_aside()
        run(
            service,
            listening,
            managing[number] if managing else None,
            trusted_proxies=settings.trusted_proxies,
            drain_seconds=drain_seconds,
        )


def _check_ports(listening: socket.socket, managing: Sequence[socket.socket]) -> None:
    public = listening.getsockname()[1]
    if public in {each.getsockname()[1] for each in managing}:  # on different addresses
        raise InvalidSettings(f"port {public} is the public one: choose another with --management-port")


def _settings_at(base_url: str, settings: Settings) -> Settings:
    """Return *settings*, in development with an issuer at *base_url* and a secret that reloads share."""
    if not settings.is_development:
        return settings
    secret = settings.token_secret or token_bytes(SHORTEST_SECRET)
    return replace(settings, public_url=settings.public_url or base_url, token_secret=secret)


def _say_what_to_try(prepared: Prepared, base_url: str) -> None:
    settings, _, sold, keys = prepared
    example = example_call(sold, base_url, datetime.now().astimezone(), keys=keys)
    if settings.has_showcase:
        print(f"\nLook at it:\n\n  {base_url}/", flush=True)
    print(f"\nOpen a checkout with a ticket in it:\n\n  {example}\n", flush=True)
    if settings.is_development:
        print(f"Log in, as anyone:\n\n  {shlex.join(_token_command(sold, base_url, keys))}\n", flush=True)
    if keys:
        print("Protected channels, and their keys until the server stops:\n", flush=True)
        for uuid, key in keys.items():
            print(f"  {sold.channel(uuid).name}: service-channel-uuid {uuid}, service-channel-key {key}")
        print(flush=True)


def example_call(
    catalogue: Catalogue, base_url: str, now: datetime, *, keys: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return a curl command that opens a checkout with one item from *catalogue*, bookable at *now*.

    *keys* contains the known keys of protected channels, keyed by channel UUID.
    """
    channel = shown_channel(catalogue)
    product = shown_products(catalogue, channel)[0]
    item = {
        "id": 1,
        "productVariantId": product.variants[0].id,
        "personId": None,
        "validity": _validity(product, catalogue, now),
        "parentItemId": None,
        "originatedItemId": None,
        "discountCardTypeId": None,
    }
    headers = {
        "service-channel-uuid": channel.uuid,
        "accept-language": "en",
        "content-type": "application/json",
    }
    if channel.is_protected:
        headers["service-channel-key"] = keys.get(channel.uuid, "KEY")
    command = ["curl", "-s", f"{base_url}/api/checkout/{uuid4()}/items"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    return shlex.join([*command, "-d", json.dumps({"items": [item]}, separators=(",", ":"))])


def _token_command(catalogue: Catalogue, base_url: str, keys: Mapping[str, str]) -> list[str]:
    channel = shown_channel(catalogue).uuid
    key = ["--channel-key", keys[channel]] if channel in keys else []
    return ["faregate", "token", "--server", base_url, "--channel", channel, *key]


def _validity(product: Product, catalogue: Catalogue, now: datetime) -> Mapping[str, str] | None:
    """Return the first validity period of the first variant that is for sale, or None without one."""
    if not product.has_validity:
        return None
    party = {product.variants[0].id: 1}
    found = next_available(product, catalogue=catalogue, capacity={}, now=now, party=party)
    if found is None:
        return None
    start, end = found.validity
    return {"from": start.isoformat(), "to": end.isoformat()}


def _address(host: str) -> str:
    """Return *host*, the address listened on, formatted for a URL that is used on this machine."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - what is listened on, not chosen here
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
