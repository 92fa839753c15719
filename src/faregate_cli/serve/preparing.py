"""Checks of all options of ``faregate serve``, before anything is opened; all faults are reported."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate_cli.catalogue.contents import read_catalogue
from faregate_cli.serve.applications import Make, maker_of
from faregate_cli.serve.exposure import AllowedExposures, exposure_faults
from faregate_cli.serve.ports import Ports, port_faults
from faregate_cli.terminal.arguments import ArgumentReader
from faregate_http.protocol.hosts import is_loopback
from faregate_server.channel_keys import closed_channels, new_key
from faregate_server.identity.access_tokens import signing_key
from faregate_server.settings import SHORTEST_SECRET, InvalidSettings, Settings
from faregate_server.store.locations import location, shown
from faregate_server.store.unusable import UnsupportedDatabase

_SECRET = "FAREGATE_TOKEN_SECRET"

_UNREAD = bytes(SHORTEST_SECRET)
"""Placeholder for a secret that cannot be read, which is reported separately."""


class ServeOptions(NamedTuple):
    """Options of ``faregate serve`` that are not settings, or can be checked even if a setting is faulty."""

    ports: Ports
    database: str
    catalogue: Path | None
    secret_files: Sequence[Path]
    application: str | None
    is_development: bool
    allowed: AllowedExposures

    @property
    def makes_keys(self) -> bool:
        """True if protected channels get keys at startup: in development, and with the demo catalogue."""
        return self.is_development or self.catalogue is None


class Prepared(NamedTuple):
    """The settings, application and catalogue to serve, checked as far as possible on this machine.

    ``keys`` contains the channel keys made for this run, keyed by channel UUID.
    """

    settings: Settings
    make: Make
    sold: Catalogue
    keys: Mapping[str, str]


def prepared(options: ServeOptions, settings_with: Callable[..., Settings]) -> Prepared:
    """Check *options* and return what to serve; *settings_with* makes settings, given the token secrets.

    Raises:
        InvalidSettings: lists every fault, including those of the catalogue.
    """
    reader = ArgumentReader()
    secrets = reader.attempt(lambda: secrets_of(options.secret_files))
    known = [_UNREAD] if secrets is None else secrets
    first = next(iter(known), None)
    settings = reader.attempt(lambda: settings_with(token_secret=first, old_token_secrets=known[1:]))
    for each in secrets or ():
        reader.attempt(partial(_check_secret, each))
    reader.attempt(lambda: _check_host(options))
    reader.attempt(lambda: _check_database(options.database))
    make = reader.attempt(lambda: maker_of(options.application))
    sold = reader.attempt(lambda: read_catalogue(options.catalogue))
    if sold is not None and not options.makes_keys:
        reader.attempt(lambda: _check_keys(sold))
    reader.faults += port_faults(options.ports, options.allowed)
    if settings is not None:
        reader.faults += exposure_faults(options.ports.host, settings, options.allowed)
    if reader.faults or settings is None or make is None or sold is None:
        raise InvalidSettings(*reader.faults)
    protected = [channel.uuid for channel in sold.channels if channel.is_protected]
    made = {uuid: new_key() for uuid in protected} if options.makes_keys else {}
    settings = replace(settings, channel_keys={uuid: new.sha256 for uuid, new in made.items()})
    return Prepared(settings, make, sold, {uuid: new.key for uuid, new in made.items()})


def secrets_of(files: Sequence[Path]) -> list[bytes]:
    """Return the token secrets from *files*, without trailing newlines, or from FAREGATE_TOKEN_SECRET.

    Raises:
        InvalidSettings: both are given, or a file cannot be read.
    """
    # As bytes: a secret need not be text.
    given = os.fsencode(os.environ.get(_SECRET, ""))
    if not files:
        return [given] if given else []
    if given:
        raise InvalidSettings(f"there are two token secrets: remove {_SECRET} or the file {files[0]}")
    try:
        return [file.read_bytes().rstrip(b"\r\n") for file in files]
    except OSError as error:
        raise InvalidSettings(f"{error.filename}: cannot be read: {error.strerror}") from None


def _check_secret(secret: bytes) -> None:
    if len(secret) >= SHORTEST_SECRET:  # the settings report shorter secrets
        signing_key(secret)


def _check_host(options: ServeOptions) -> None:
    host = options.ports.host
    if options.is_development and not is_loopback(host):
        raise InvalidSettings(
            f"the development issuer gives anyone any token, but {host} is not local: listen on 127.0.0.1"
        )
    if options.is_development and options.ports.workers > 1:
        raise InvalidSettings("the key of the development issuer is known to one process: remove --workers")


def _check_keys(sold: Catalogue) -> None:
    closed = [
        f"channel {channel.uuid} ({channel.name}) is protected but has no live key: "
        "make one with faregate channel-key, and add it to the keys of the channel"
        for channel in closed_channels(sold, datetime.now(UTC))
    ]
    if closed:
        raise InvalidSettings(*closed)


def _check_database(url: str) -> None:
    try:
        location(url)
    except UnsupportedDatabase as error:
        raise InvalidSettings(f"{shown(url)}: {error}") from None
