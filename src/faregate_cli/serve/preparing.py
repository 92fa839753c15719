"""What an operator asks for, checked as a whole before anything is opened; all that is wrong is told."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from faregate.errors import InvalidInput
from faregate_cli.catalogues import read_catalogue
from faregate_cli.serve.applications import maker_of
from faregate_cli.serve.exposure import Asked, exposure_faults
from faregate_http.channels import closed_channels, new_key
from faregate_http.identity.access_tokens import signing_key
from faregate_http.settings import SHORTEST_SECRET, InvalidSettings, Settings, is_loopback
from faregate_http.store import UnsupportedDatabase
from faregate_http.store.locations import location, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from faregate.catalogue.catalogue import Catalogue
    from faregate_cli.serve.applications import Make

__all__ = ["Prepared", "Wishes", "prepared", "secret_of"]

_SECRET = "FAREGATE_TOKEN_SECRET"

_UNREAD = bytes(SHORTEST_SECRET)
"""Stands for a secret that cannot be read, which is told already, while the settings are looked at."""

_Found = TypeVar("_Found")


class Wishes(NamedTuple):
    """What is checked beside the settings, or although they are at fault."""

    host: str
    database: str
    catalogue: Path | None
    secret_file: Path | None
    application: str | None
    is_development: bool
    asked: Asked

    @property
    def makes_keys(self) -> bool:
        """True if protected channels get a key at the start: nobody can add one to the demo resort."""
        return self.is_development or self.catalogue is None


class Prepared(NamedTuple):
    """Settings and catalogue to serve, checked as far as this machine can check them.

    ``keys`` are those made for this run, by the UUID of their channel.
    """

    settings: Settings
    make: Make
    sold: Catalogue
    keys: Mapping[str, str]


def prepared(wishes: Wishes, settings_with: Callable[[bytes | None], Settings]) -> Prepared:
    """What is to be served, by the settings that *settings_with* the token secret are made.

    Raises:
        InvalidSettings: lists every fault, those of the catalogue too.
    """
    faults: list[str] = []
    secret = _tried(lambda: secret_of(wishes.secret_file), faults)
    settings = _tried(lambda: settings_with(_UNREAD if faults else secret), faults)
    _tried(lambda: _check_secret(secret), faults)
    _tried(lambda: _check_host(wishes), faults)
    _tried(lambda: _check_database(wishes.database), faults)
    make = _tried(lambda: maker_of(wishes.application), faults)
    sold = _tried(lambda: read_catalogue(wishes.catalogue), faults)
    if sold is not None and not wishes.makes_keys:
        _tried(lambda: _check_keys(sold), faults)
    if settings is not None:
        faults += exposure_faults(wishes.host, settings, wishes.asked)
    if faults or settings is None or make is None or sold is None:
        raise InvalidSettings(*faults)
    protected = [channel.uuid for channel in sold.channels if channel.is_protected]
    made = {uuid: new_key() for uuid in protected} if wishes.makes_keys else {}
    settings = replace(settings, channel_keys={uuid: new.sha256 for uuid, new in made.items()})
    return Prepared(settings, make, sold, {uuid: new.key for uuid, new in made.items()})


def _tried(step: Callable[[], _Found], faults: list[str]) -> _Found | None:
    """What *step* returns; None, and *faults* grows, if it finds some."""
    try:
        return step()
    except InvalidInput as error:
        faults += error.faults
        return None


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


def _check_secret(secret: bytes | None) -> None:
    if secret is not None and len(secret) >= SHORTEST_SECRET:  # of a shorter one the settings tell
        signing_key(secret)


def _check_host(wishes: Wishes) -> None:
    host = wishes.host
    if wishes.is_development and not is_loopback(host):
        raise InvalidSettings(
            f"the development issuer gives anyone the token of anyone: {host} is not of this machine alone"
        )


def _check_keys(sold: Catalogue) -> None:
    closed = [
        f"channel {channel.uuid} ({channel.name}) is protected and has no key that is live: "
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
