"""The operator's settings: database, catalogue, identity provider, proxies and limits."""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_network
from pathlib import Path
from secrets import token_bytes
from urllib.parse import urlsplit

from faregate.errors import InvalidInput
from faregate_http.options import (
    DEFAULT_ADMISSION,
    DEFAULT_CODE_FAILURES,
    DEFAULT_HOLD_LIMITS,
    DEFAULT_KEY_FAILURES,
    DEFAULT_LOGIN_FAILURES,
    DEFAULT_SCARCE_PERCENT,
    AdmissionLimits,
    FailureLimit,
    Options,
)
from faregate_http.protocol.hosts import is_loopback
from faregate_http.store.contract import HoldLimits

DEFAULT_DATABASE = "sqlite:///faregate.db"

SHORTEST_SECRET = 32
"""Minimum length of a token secret in bytes: the digest size of its algorithm (RFC 7518, 3.2)."""


class InvalidSettings(InvalidInput):
    """The settings are invalid, contradictory or unsafe; the message never contains secrets."""

    code = "invalid-settings"


_ALL_PERCENT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a service; *database* is a URL, *catalogue* a file or None for the demo resort.

    The service accepts ID tokens that ``identity_issuer`` issues to ``identity_audience``;
    ``identity_jwks`` is the URL of the issuer's keys, or None for the URL in its discovery document.
    ``identity_groups_claim`` names their claim with the customer's groups; None means that no customer has
    any. ``token_secret`` signs the access tokens, and the secrets with which guests read their orders are
    derived from it; all processes of a service need the same secret. Without it, guests cannot read orders.
    Tokens and order secrets made with ``old_token_secrets`` stay valid, so that the secret can be replaced.
    With ``is_development``, the service itself issues ID tokens, for any account. ``public_url`` is the
    address at which customers reach the service; None means that they use the same machine.

    ``sandbox`` replaces the payment gateway with one that takes no money; None enables it unless there is
    an identity provider, that is, in development or if customers cannot log in. ``showcase`` enables the shop
    page at ``/``, which is always enabled in development.

    ``has_metrics`` enables ``/metrics``; ``has_documents`` enables ``/docs`` and ``/openapi.json``.
    ``channel_keys`` maps UUIDs of protected channels to hashes of keys that are valid in addition to those in
    the catalogue.

    ``migrates`` is False if the service must not migrate the database, but refuse one at an older revision.

    ``trusted_proxies`` are the addresses and networks, separated by commas, whose ``X-Forwarded-For`` and
    ``X-Forwarded-Proto`` headers are trusted; by default, only this machine. The client is the last
    address in ``X-Forwarded-For`` that is not a trusted proxy. `faregate serve` configures its server
    accordingly; configure any other server yourself.

    ``hold_limits`` limit the holds of anonymous customers on public channels; such holds expire sooner once
    ``scarce_percent`` percent of a slot is taken.

    ``compression`` enables compressed responses; disable it behind a proxy that compresses them.

    ``admission`` limits the requests in progress; None admits all of them at once.

    Raises:
        InvalidSettings: a setting is invalid; the error lists all invalid settings.
    """

    database: str = field(default=DEFAULT_DATABASE, repr=False)
    migrates: bool = True
    catalogue: Path | None = None
    identity_issuer: str | None = None
    identity_audience: str | None = None
    identity_jwks: str | None = None
    identity_groups_claim: str | None = None
    token_secret: bytes | str | None = field(default=None, repr=False)
    old_token_secrets: Sequence[bytes | str] = field(default=(), repr=False)
    is_development: bool = False
    public_url: str | None = None
    sandbox: bool | None = None
    showcase: bool = False
    has_metrics: bool = True
    has_documents: bool = True
    channel_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    trusted_proxies: str = "127.0.0.1"
    login_failures: FailureLimit = DEFAULT_LOGIN_FAILURES
    code_failures: FailureLimit = DEFAULT_CODE_FAILURES
    hold_limits: HoldLimits = DEFAULT_HOLD_LIMITS
    scarce_percent: int | None = DEFAULT_SCARCE_PERCENT
    key_failures: FailureLimit = DEFAULT_KEY_FAILURES
    compression: bool = True
    admission: AdmissionLimits | None = DEFAULT_ADMISSION

    def __post_init__(self) -> None:
        """Check that the settings are valid and consistent with each other."""
        checks = (
            _identity_faults,
            _secret_faults,
            _limit_faults,
            _public_faults,
            _proxy_faults,
            _hold_faults,
            _admission_faults,
        )
        faults = [fault for check in checks for fault in check(self)]
        if faults:
            raise InvalidSettings(*faults)

    @property
    def secret(self) -> bytes | None:
        """The ``token_secret`` as bytes, or None if it is not set."""
        return None if self.token_secret is None else _as_bytes(self.token_secret)

    @property
    def old_secrets(self) -> tuple[bytes, ...]:
        """The ``old_token_secrets`` as bytes."""
        return tuple(map(_as_bytes, self.old_token_secrets))

    @property
    def has_sandbox(self) -> bool:
        """True if the sandbox is the payment gateway; with an identity provider, ``sandbox`` must be True."""
        return self.identity_issuer is None if self.sandbox is None else self.sandbox

    @property
    def has_showcase(self) -> bool:
        """True if the shop page is served at ``/``."""
        return self.showcase or self.is_development

    def options(self) -> Options:
        """Return these settings as options of the HTTP application.

        Client addresses are hashed with the token secret, or with the database URL if no secret is set.
        Guests can read their orders only if there is a token secret. In development, a random one is used
        if none is set, so guests cannot read orders made before a restart.
        """
        return Options(
            public_url=self.public_url,
            channel_keys=self.channel_keys,
            login_failures=self.login_failures,
            code_failures=self.code_failures,
            key_failures=self.key_failures,
            hold_limits=self.hold_limits,
            scarce_percent=self.scarce_percent,
            holder_key=sha256(self.secret or self.database.encode()).digest(),
            order_key=_order_key(self),
            old_order_keys=tuple(map(_derived, self.old_secrets)),
            compression=self.compression,
            admission=self.admission,
        )


def _order_key(settings: Settings) -> bytes | None:
    """Return the key that order secrets are derived from, or None if guests cannot read orders."""
    if settings.secret is not None:
        return _derived(settings.secret)
    return token_bytes(SHORTEST_SECRET) if settings.is_development else None


def _derived(secret: bytes) -> bytes:
    return hmac.digest(secret, b"faregate orders", "sha256")


def _as_bytes(secret: bytes | str) -> bytes:
    # A value from the environment is not necessarily UTF-8.
    return secret.encode(errors="surrogateescape") if isinstance(secret, str) else secret


_STANDARD_CLAIMS = frozenset({"", *("iss", "sub", "aud", "azp", "exp", "iat", "nbf", "nonce", "email")})


def _identity_faults(settings: Settings) -> Iterator[str]:
    issuer, audience = settings.identity_issuer, settings.identity_audience
    others = audience, settings.identity_jwks, settings.identity_groups_claim
    given = issuer is not None or any(other is not None for other in others)
    if given and settings.is_development:
        yield "the development issuer and an identity provider exclude each other: set only one"
        return
    if given and not issuer:
        yield "the identity issuer is missing: set it together with the audience"
    if given and not audience:
        yield "the identity audience is missing: set it together with the issuer"
    wrong = url_fault(issuer) if issuer else None
    if wrong:
        yield f"the URL of the identity issuer {wrong}"
    wrong = None if settings.identity_jwks is None else url_fault(settings.identity_jwks, may_ask=True)
    if wrong:
        yield f"the URL of the identity JWKS {wrong}"
    if settings.identity_groups_claim in _STANDARD_CLAIMS:
        yield f"the identity groups claim {settings.identity_groups_claim!r} cannot have groups: name another"


def _secret_faults(settings: Settings) -> Iterator[str]:
    secret = settings.secret
    if secret is None:
        if settings.identity_issuer:
            yield f"the token secret is missing: accounts need one of at least {SHORTEST_SECRET} bytes"
    elif len(secret) < SHORTEST_SECRET:
        yield f"the token secret has {len(secret)} bytes: it needs at least {SHORTEST_SECRET}"
    if settings.old_secrets and (secret is None or settings.is_development):
        yield "old token secrets need a token secret, and are not for development: remove them"
    for number, old in enumerate(settings.old_secrets, 1):
        if len(old) < SHORTEST_SECRET:
            yield f"old token secret {number} has {len(old)} bytes: it needs at least {SHORTEST_SECRET}"
        elif old in (secret, *settings.old_secrets[: number - 1]):
            yield f"old token secret {number} occurs twice: remove it"


def _public_faults(settings: Settings) -> Iterator[str]:
    wrong = url_fault(settings.public_url) if settings.public_url is not None else None
    if wrong:
        yield f"the public URL {wrong}"
    elif settings.public_url and settings.is_development and not _is_here(settings.public_url):
        yield "the development issuer gives anyone any token: the public URL must be on this machine"


def _limit_faults(settings: Settings) -> Iterator[str]:
    for what in ("login_failures", "code_failures", "key_failures"):
        limit: FailureLimit = getattr(settings, what)
        if limit.most < 1 or limit.seconds <= 0:
            yield f"{what}: expected at least 1 in more than 0 seconds, got {limit.most} in {limit.seconds}"


def _hold_faults(settings: Settings) -> Iterator[str]:
    limits = settings.hold_limits
    for what, percent in (
        ("share", limits.share),
        ("anonymous_share", limits.anonymous_share),
        ("scarce_percent", settings.scarce_percent),
    ):
        if percent is not None and not 0 <= percent <= _ALL_PERCENT:
            yield f"{what}: expected 0 to 100 percent, got {percent}"
    if (limits.units is not None and limits.units < 1) or limits.always < 0:
        yield f"hold limits: expected units >= 1 and always >= 0, got {limits.units} and {limits.always}"


def _admission_faults(settings: Settings) -> Iterator[str]:
    limits = settings.admission
    if limits is None:
        return
    if limits.in_progress < 1 or limits.waiting < 1:
        got = f"{limits.in_progress} and {limits.waiting}"
        yield f"admission: expected at least 1 request in progress and 1 waiting, got {got}"
    if not 0 <= 3 * limits.wait_seconds < limits.request_seconds:
        got = f"{limits.wait_seconds:g} and {limits.request_seconds:g}"
        yield f"admission: expected a wait of at least 0 and less than a third of the deadline, got {got}"


def _proxy_faults(settings: Settings) -> Iterator[str]:
    given = [proxy.strip() for proxy in settings.trusted_proxies.split(",") if settings.trusted_proxies]
    for proxy in given:
        try:
            is_everyone = proxy == "*" or ip_network(proxy).prefixlen == 0
        except ValueError:
            yield f"trusted proxies: {proxy!r} is not an address or a network"
            continue
        if is_everyone:
            yield (
                f"trusted proxies: with {proxy!r} any client could choose its own address: "
                "name the addresses or networks of the proxies, such as 10.0.0.0/8"
            )


def url_fault(url: str, *, may_ask: bool = False) -> str | None:
    """Return the reason why *url* is not safe, or None if it is; *may_ask* allows a query string.

    >>> url_fault("https://login.example/tenant")
    >>> url_fault("http://login.example")
    'must begin with https, or with http on this machine'
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is not a URL"
    if not url.isascii() or not url.isprintable() or " " in url or not host:
        return "is not a URL"
    if (parts.query and not may_ask) or parts.fragment or "@" in parts.netloc:
        return "must not have a query, a fragment or a user"
    if parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)):
        return None
    return "must begin with https, or with http on this machine"


def _is_here(url: str) -> bool:
    return is_loopback(urlsplit(url).hostname or "")
