"""Sales channels: who may use one, what it sells, how it computes, and how it is paid. Decisions §11, §12."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import timedelta
from enum import Enum
from typing import TYPE_CHECKING

from faregate.arguments.checks import option
from faregate.basket.policy import TotalsPolicy

if TYPE_CHECKING:
    from datetime import datetime

    from faregate.catalogue.presentation.form_fields import FormField
    from faregate.catalogue.products import Product


class ChannelType(Enum):
    """Through what a channel sells."""

    WEB = "WEB"
    CONSUMPTION = "CONSUMPTION"
    POS = "POS"


class PaymentMethodType(Enum):
    """With what is paid, in the codes of the gateway."""

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
    """A way to pay through the gateway, and whether it can be kept under an alias for later payments."""

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
    """A key of a protected channel, known by the SHA-256 of its 32 bytes, in hexadecimal.

    It ends at ``ends_at``, exclusive; None: never. A channel may have several, so that they can be rotated.
    """

    name: str
    sha256: str
    ends_at: datetime | None = None

    def is_live(self, at: datetime) -> bool:
        """Return whether the key is accepted at *at*."""
        return self.ends_at is None or at < self.ends_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A sales channel: its currency, its pricing policy, and its products (empty: all products).

    ``form`` is what a checkout asks beside the built-in questions. A checkout expires ``expires_after`` its
    last change, ``expires_at_most`` after its start. It ``can_pay_on_site`` where who sells sees the money:
    such a payment is taken at its word. Customers are sent back to pages whose origin
    (``https://shop.example``) is among ``redirect_urls``. On a public channel a checkout without an
    account has at most ``max_units`` units, and one whose places are scarce expires
    ``expires_when_scarce`` its last change, if that is sooner. Decisions §11.2, §11.5, §11.7, §12.

    Pages of the origins among ``shop_origins`` may call the service from a browser. Decisions §15.

    ``access`` None is that of its type: a WEB channel is public, all others are protected. A channel that
    ``can_pay_on_site`` is always protected. Protected channels are used with one of their ``keys``.

    Raises:
        InvalidOption: ``access`` is not a ``ChannelAccess``, nor the value of one.
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
    """The zone of its orders; None: that of the merchants whose products it sells."""
    max_units: int = 60
    expires_when_scarce: timedelta = timedelta(minutes=10)
    access: ChannelAccess | None = None
    keys: tuple[ChannelKey, ...] = ()

    def __post_init__(self) -> None:
        """Read the access, which may be given as text."""
        if self.access is not None:
            object.__setattr__(self, "access", option(ChannelAccess, self.access, "access"))

    @property
    def is_protected(self) -> bool:
        """True if requests must bring one of the channel's keys."""
        if self.access is None:
            return self.can_pay_on_site or self.type is not ChannelType.WEB
        return self.can_pay_on_site or self.access is ChannelAccess.PROTECTED

    def sells(self, product: Product) -> bool:
        """Return whether *product* can be bought here."""
        return not self.products or product.id in self.products
