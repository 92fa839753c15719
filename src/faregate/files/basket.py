"""Basket files: the instant of an order and its items, in the same format as in the HTTP service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from os import PathLike
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.checks.parts import repeated_in
from faregate.checkout.model import Checkout, CheckoutConditions, CheckoutItem
from faregate.checkout.quotes import zone_of
from faregate.dates.instants import YEARS, Interval, parse_interval
from faregate.errors import InvalidCheckout, InvalidPeriod, Issue, UnknownEntry
from faregate.files.entries import Entry, read_entry
from faregate.files.fields.currencies import Currencies, known_currency
from faregate.files.fields.forms import Integer, String
from faregate.files.fields.types import AMOUNT, ENTERED_CODE, ID, UUID_TEXT
from faregate.files.spelling import Spelling
from faregate.files.text.documents import FileFormat, format_of, read_document, read_file
from faregate.files.text.issues import issues_as
from faregate.money.currency import Currency

_MAX_ITEMS = 500


class Basket(NamedTuple):
    """A checkout, the instant of the order, and the time zone that determines the order's date, if known.

    ``ordered_at`` is in that time zone if it is known.
    """

    checkout: Checkout
    ordered_at: datetime
    zone: ZoneInfo | None = None


class _Validity(NamedTuple):
    """A validity period as written: ISO 8601 date-times, or local dates up to and including ``end``."""

    start: str
    end: str

    def in_zone(self, zone: ZoneInfo) -> Interval:
        """Return the validity period as an interval; local dates are interpreted in *zone*."""
        interval = parse_interval(self.start, self.end, zone)
        if interval.start.year not in YEARS or interval.end.year not in YEARS:
            raise InvalidPeriod(f"expected years from {YEARS[0]} to {YEARS[-1]}")
        return interval


class _Item(NamedTuple):
    """An item as written: one unit of a variant. The last two fields do not affect prices."""

    id: int
    product_variant_id: int
    validity: _Validity | None = None
    parent_item_id: int | None = None
    discount_card_type_id: int | None = None
    person_id: int | None = None
    originated_item_id: int | None = None

    def in_zone(self, zone: ZoneInfo) -> CheckoutItem:
        """Return the item; local dates of its validity period are interpreted in *zone*."""
        return CheckoutItem(
            self.id,
            self.product_variant_id,
            validity=self.validity and self.validity.in_zone(zone),
            parent=self.parent_item_id,
            discount_card=self.discount_card_type_id,
            person=self.person_id,
            originated_from=self.originated_item_id,
        )


class _BasketFile(NamedTuple):
    """A basket as written; ``timezone``, by default the channel's, determines the order's date."""

    channel: str
    ordered_at: datetime
    items: tuple[_Item, ...] = ()
    codes: tuple[str, ...] = ()
    donation: int = 0
    account_id: int | None = None
    timezone: str | None = None
    customer_groups: frozenset[str] = frozenset()

    def to_core(self, catalogue: Catalogue) -> Basket:
        """Return the basket as a checkout with the instant and the time zone of the order."""
        checkout = Checkout(
            channel=self.channel,
            items=tuple([item.in_zone(_zone(item, catalogue)) for item in self.items]),
            codes=self.codes,
            conditions=CheckoutConditions(donation=self.donation or None),
            account=self.account_id,
            customer_groups=self.customer_groups,
        )
        name = self.timezone or catalogue.zone_of_orders(catalogue.channel(self.channel))
        zone = None if name is None else ZoneInfo(name)
        return Basket(checkout, self.ordered_at.astimezone(zone) if zone else self.ordered_at, zone)


MOMENT = String(40)
ITEM_ID = Integer(1, 2**31 - 1)
_ITEM_IDS = dict.fromkeys(("id", "parent_item_id", "originated_item_id"), ITEM_ID)
_OTHER_IDS = dict.fromkeys(("product_variant_id", "discount_card_type_id", "person_id"), ID)
_VALIDITY = Entry(_Validity, Spelling(forms={"start": MOMENT, "end": MOMENT}))
_ITEM = Entry(_Item, Spelling(forms={"validity": _VALIDITY, **_ITEM_IDS, **_OTHER_IDS}))
BASKET = Entry(
    _BasketFile,
    Spelling(
        forms={
            "channel": UUID_TEXT,
            "items": _ITEM,
            "codes": ENTERED_CODE,
            "donation": AMOUNT,
            "account_id": ID,
        },
        most={"items": _MAX_ITEMS, "codes": _MAX_ITEMS},
    ),
)


def load_basket(path: str | PathLike[str], catalogue: Catalogue) -> Basket:
    """Return the basket in the file *path*, read as JSON if the name ends in ``.json``, else as YAML.

    Raises:
        InvalidCheckout: lists every issue with its position, including references to entries that the
            catalogue lacks. Only ``price_checkout`` checks whether the items can be sold.
    """
    with issues_as(InvalidCheckout, str(path)):
        return _basket(read_file(path), format_of(path), catalogue)


def parse_basket(
    text: str | bytes,
    catalogue: Catalogue,
    *,
    file_format: FileFormat = FileFormat.JSON,
    name: str = "basket",
) -> Basket:
    """Return the basket in *text*; error messages refer to it as *name*.

    >>> from faregate.files import demo_catalogue
    >>> empty = '''{"channel": "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77", "orderedAt": "2026-07-01T10:00:00Z"}'''
    >>> parse_basket(empty, demo_catalogue()).ordered_at.isoformat()
    '2026-07-01T12:00:00+02:00'

    Raises:
        InvalidCheckout: as for ``load_basket``.
    """
    with issues_as(InvalidCheckout, name):
        return _basket(text, file_format, catalogue)


def _basket(source: str | bytes, file_format: FileFormat, catalogue: Catalogue) -> Basket:
    document = read_document(source, file_format)
    file: _BasketFile = read_entry(BASKET, document, Currencies(_currency(document.data, catalogue)))
    issues = [*_unknown_entries(file, catalogue), *_item_issues(file), *_validity_issues(file, catalogue)]
    if issues:
        raise document.refusal(issues)
    return file.to_core(catalogue)


def _currency(data: object, catalogue: Catalogue) -> Currency | None:
    """Return the currency of the channel named in a basket, or None if the channel is unknown."""
    uuid = data.get("channel") if isinstance(data, dict) else None
    try:
        return known_currency(catalogue.channel(uuid.lower()).currency) if isinstance(uuid, str) else None
    except UnknownEntry:
        return None


def _zone(item: _Item, catalogue: Catalogue) -> ZoneInfo:
    product, _ = catalogue.variant(item.product_variant_id)
    return zone_of(product, catalogue)


def _unknown_entries(file: _BasketFile, catalogue: Catalogue) -> Iterator[Issue]:
    if file.channel not in {channel.uuid for channel in catalogue.channels}:
        yield Issue(("channel",), f"there is no channel {file.channel!r}")
    cards = {card.id for card in catalogue.discount_cards}
    for index, item in enumerate(file.items):
        try:
            catalogue.variant(item.product_variant_id)
        except UnknownEntry:
            message = f"there is no product variant {item.product_variant_id}"
            yield Issue(("items", index, "productVariantId"), message)
        card = item.discount_card_type_id
        if card is not None and card not in cards:
            yield Issue(("items", index, "discountCardTypeId"), f"there is no discount card {card}")


def _item_issues(file: _BasketFile) -> Iterator[Issue]:
    """Yield an issue for each repeated item id, and for each reference that does not name another item."""
    yield from repeated_in(("items",), file.items, "id")
    ids = {item.id for item in file.items}
    for index, item in enumerate(file.items):
        references = {"parentItemId": item.parent_item_id, "originatedItemId": item.originated_item_id}
        for field, named in references.items():
            if named is not None and (named == item.id or named not in ids):
                yield Issue(("items", index, field), f"there is no other item {named}")


def _validity_issues(file: _BasketFile, catalogue: Catalogue) -> Iterator[Issue]:
    for index, item in enumerate(file.items):
        with suppress(UnknownEntry):
            try:
                item.in_zone(_zone(item, catalogue))
            except InvalidPeriod as error:
                yield Issue(("items", index, "validity"), str(error))
