"""Item requests for a checkout, and the issues they cause."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.changes import add_items
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import Checkout
from faregate.errors import CheckoutConflict, InvalidCheckout, IssueCode, Loc
from support.shops.small_shop import LUNCH, NOW, RESORT

SUNDAY = ("2026-12-27", "2026-12-27")
LATER = NOW + timedelta(minutes=10)
EMPTY = Checkout("web")
PERSONS: Mapping[int, Mapping[str, object]] = {8: {}, 9: {}}


def added(
    checkout: Checkout,
    *requests: ItemRequest,
    catalogue: Catalogue = RESORT,
    persons: Mapping[int, Mapping[str, object]] = PERSONS,
) -> Checkout:
    return add_items(checkout, requests, catalogue=catalogue, at=NOW, persons=persons)


def lunches(*ids: int) -> list[ItemRequest]:
    return [ItemRequest(number, LUNCH) for number in ids]


def ids(checkout: Checkout) -> list[int]:
    return [item.id for item in checkout.items]


def faults(
    *requests: ItemRequest, to: Checkout = EMPTY, catalogue: Catalogue = RESORT
) -> list[tuple[Loc, IssueCode]]:
    """Return location and code of issues that occur in any checkout."""
    with pytest.raises(InvalidCheckout) as raised:
        added(to, *requests, catalogue=catalogue)
    assert len(raised.value.messages) == len(raised.value.issues)
    return [(fault.loc, fault.code) for fault in raised.value.issues]


def conflicts(*requests: ItemRequest, to: Checkout) -> list[tuple[Loc, IssueCode]]:
    """Return location and code of issues that this checkout causes."""
    with pytest.raises(CheckoutConflict) as raised:
        added(to, *requests)
    return [(fault.loc, fault.code) for fault in raised.value.issues]
