"""Sales channels: access, products, pricing policy and payment methods. Decisions §11, §12."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta
from enum import Enum

from faregate.arguments.checks import option
from faregate.basket.policy import TotalsPolicy
from faregate.catalogue.presentation.form_fields import FormField
from faregate.catalogue.products import Product


class ChannelType(Enum):
    """The type of a sales channel."""

    WEB = "WEB"
    CONSUMPTION = "CONSUMPTION"
    POS = "POS"


class PaymentMethodType(Enum):
    """The type of a payment method; each value is the payment gateway's code for it."""

    PAP = "PAP"
    PFP = "PFP"
    PFC = "PFC"
    APL = "APL"
    PAY = "PAY"
    VIS = "VIS"
    ECA = "ECA"
    TWI = "TWI"
    DIB = "DIB"
    EPS = "EPS"
    REK = "REK"


@dataclass(frozen=True, slots=True)
class PaymentMethod:
    """A payment method; with ``supports_alias``, the gateway can store it for later payments."""

    type: PaymentMethodType
    _: KW_ONLY
    supports_alias: bool = False
    supports_registration_and_payment: bool = False


class ChannelAccess(Enum):
    """Access to a channel: for everyone, or only for clients that send one of its keys."""

    PUBLIC = "public"
    PROTECTED = "protected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelKey:
    """A key of a protected channel, stored as the hexadecimal SHA-256 digest of its 32 bytes.

    The key is valid before ``ends_at``; None means that it never expires. A channel can have several keys,
    so that they can be rotated.
    """

    name: str
    sha256: str
    ends_at: datetime | None = None

    def is_live(self, at: datetime) -> bool:
        """Return True if the key is valid at the instant *at*."""
        return self.ends_at is None or at < self.ends_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A sales channel with its currency, pricing policy and products; empty ``products`` means all.

    ``form`` holds the questions that a checkout asks in addition to the built-in ones. ``expires_after`` is
    the time from the last change of a checkout to its expiry, ``expires_at_most`` the maximum time from its
    opening. ``can_pay_on_site`` is for channels whose staff take payments, which the service then trusts.
    Customers are sent back only to pages whose origin (``https://shop.example``) is listed in
    ``redirect_urls``. On a public channel, a checkout without an account has at most ``max_units`` units, and
    the shorter of ``expires_after`` and ``expires_when_scarce`` applies to checkouts that hold scarce units.

    Pages from the origins in ``shop_origins`` may call the service from a browser.

    If ``access`` is None, WEB channels are public and all others protected. A channel with
    ``can_pay_on_site`` is always protected. Requests to a protected channel need one of its ``keys``.

    Raises:
        InvalidOption: ``access`` is neither a ``ChannelAccess`` nor the value of a member.
    """

    uuid: str
    name: str
    type: ChannelType
    currency: str
    policy: TotalsPolicy = TotalsPolicy()
    products: frozenset[int] = frozenset()
    can_use_promo_codes: bool = True
    can_use_vouchers: bool = True
    payment_methods: tuple[PaymentMethod, ...] = ()
    can_pay_on_site: bool = False
    form: tuple[FormField, ...] = ()
    requires_terms: bool = False
    expires_after: timedelta = timedelta(minutes=30)
    expires_at_most: timedelta = timedelta(hours=2)
    redirect_urls: tuple[str, ...] = ()
    shop_origins: tuple[str, ...] = ()
    timezone: str | None = None
    """Time zone of the channel's orders; None means the zone of the merchants whose products it sells."""
    max_units: int = 60
    expires_when_scarce: timedelta = timedelta(minutes=10)
    access: ChannelAccess | None = None
    keys: tuple[ChannelKey, ...] = ()

    def __post_init__(self) -> None:
        """Convert ``access`` to a ``ChannelAccess`` if it is a string."""
        if self.access is not None:
            object.__setattr__(self, "access", option(ChannelAccess, self.access, "access"))

    @property
    def is_protected(self) -> bool:
        """True if requests need one of the channel's keys."""
        if self.access is None:
            return self.can_pay_on_site or self.type is not ChannelType.WEB
        return self.can_pay_on_site or self.access is ChannelAccess.PROTECTED

    def sells(self, product: Product) -> bool:
        """Return True if the channel sells *product*."""
        return not self.products or product.id in self.products
