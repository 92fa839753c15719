"""What an application is told of limits, of keys, and of its own address."""

from __future__ import annotations

from dataclasses import dataclass, field
from secrets import token_bytes
from typing import TYPE_CHECKING, NamedTuple

from faregate_http.store.contract import HoldLimits

if TYPE_CHECKING:
    from collections.abc import Mapping


class FailureLimit(NamedTuple):
    """From so many failures within so many seconds on, a client address is refused."""

    most: int
    seconds: float


DEFAULT_LOGIN_FAILURES = FailureLimit(20, 300)
DEFAULT_CODE_FAILURES = FailureLimit(30, 600)
DEFAULT_KEY_FAILURES = FailureLimit(30, 600)
DEFAULT_HOLD_LIMITS = HoldLimits()
DEFAULT_SCARCE_PERCENT = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Limits and keys of one application.

    Customers reach it at ``public_url``; None: on this machine only. ``channel_keys`` are hashes of keys of
    protected channels, by UUID, beside those of the catalogue. ``hold_limits`` bound what is held on public
    channels without an account; there, holds are shorter once ``scarce_percent`` of a slot are taken. Client
    addresses are hashed under ``holder_key``, which all processes of a service share; the default is random.
    The secrets by which guests read their orders are made with ``order_key``, which they share too; None:
    there are no secrets.
    Without ``compression`` every body is sent as it is: to a proxy that compresses itself.
    """

    public_url: str | None = None
    channel_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    login_failures: FailureLimit = DEFAULT_LOGIN_FAILURES
    code_failures: FailureLimit = DEFAULT_CODE_FAILURES
    key_failures: FailureLimit = DEFAULT_KEY_FAILURES
    hold_limits: HoldLimits = DEFAULT_HOLD_LIMITS
    scarce_percent: int | None = DEFAULT_SCARCE_PERCENT
    holder_key: bytes = field(default_factory=lambda: token_bytes(32), repr=False)
    order_key: bytes | None = field(default=None, repr=False)
    compression: bool = True
