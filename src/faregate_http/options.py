"""Options of an application: limits, keys and its public address."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import NamedTuple

from faregate_http.store.contract import HoldLimits


class FailureLimit(NamedTuple):
    """Limit on failures: a client address is rejected after ``most`` failures within ``seconds``."""

    most: int
    seconds: float


class AdmissionLimits(NamedTuple):
    """Limits on requests that change something, for one process.

    At most ``in_progress`` are worked on. At most ``waiting`` requests for new checkouts wait, each for at
    most ``wait_seconds``; twice as many changes wait twice as long, and three times as many payments three
    times as long. ``request_seconds`` is the deadline of a request, counted from the arrival of its body.
    """

    in_progress: int = 16
    waiting: int = 64
    wait_seconds: float = 2.0
    request_seconds: float = 15.0


DEFAULT_LOGIN_FAILURES = FailureLimit(20, 300)
DEFAULT_CODE_FAILURES = FailureLimit(30, 600)
DEFAULT_KEY_FAILURES = FailureLimit(30, 600)
DEFAULT_HOLD_LIMITS = HoldLimits()
DEFAULT_SCARCE_PERCENT = 80
DEFAULT_ADMISSION = AdmissionLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Limits and keys of one application.

    ``public_url`` is the address that customers use; without it, they must be on this machine.
    ``channel_keys`` are hashes of further keys for protected channels, keyed by channel UUID.
    ``hold_limits`` apply to customers without an account on public channels, where holds expire sooner once
    ``scarce_percent`` of a slot is taken. ``holder_key`` hashes client addresses and must be the same in all
    processes of a service; the default is random. ``order_key`` creates the secrets with which guests read
    their orders; it, too, must be the same in all processes, and None disables secrets. Secrets created with
    ``old_order_keys`` stay valid. Disable ``compression`` behind a proxy that compresses. ``admission``
    limits the requests in progress; None admits all of them at once.
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
    old_order_keys: tuple[bytes, ...] = field(default=(), repr=False)
    compression: bool = True
    admission: AdmissionLimits | None = DEFAULT_ADMISSION
