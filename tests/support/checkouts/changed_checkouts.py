"""Small checkouts, changes to them, and refused changes."""

from collections.abc import Callable

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.changes import add_items, change_quantity, remove_items
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import FIRST_SERVICE_ID, Checkout, CheckoutConditions
from faregate.errors import CheckoutConflict, FaregateError, InvalidCheckout, IssueCode, Loc
from support.checkouts.asked_items import EMPTY, LATER
from support.shops.small_shop import CLEANING, INSURANCE, LUNCH, NOW, RESORT

FIRST = FIRST_SERVICE_ID
GUARANTEED = CheckoutConditions(weather_guarantee=True)


def with_items(*requests: ItemRequest, to: Checkout = EMPTY) -> Checkout:
    return add_items(to, requests, catalogue=RESORT, at=NOW, persons={8: {}})


def removed(checkout: Checkout, *ids: int, catalogue: Catalogue = RESORT) -> Checkout:
    return remove_items(checkout, ids, catalogue=catalogue)


def changed(checkout: Checkout, item_id: int, delta: int, catalogue: Catalogue = RESORT) -> Checkout:
    return change_quantity(checkout, item_id, delta, catalogue=catalogue, at=LATER)


def refused(change: Callable[[], object]) -> tuple[type[FaregateError], list[tuple[Loc, IssueCode]]]:
    """Return the error of a refused change, with location and code of its issues."""
    with pytest.raises(FaregateError) as raised:
        change()
    error = raised.value
    assert isinstance(error, InvalidCheckout | CheckoutConflict)
    assert all(fault.message for fault in error.issues)
    return type(error), [(fault.loc, fault.code) for fault in error.issues]


FAMILY = with_items(
    ItemRequest(1, LUNCH),
    ItemRequest(2, INSURANCE, parent=1),
    ItemRequest(3, LUNCH, parent=1),
    ItemRequest(4, LUNCH, parent=3),
    ItemRequest(5, LUNCH),
)
LUNCHTIME = with_items(ItemRequest(1, LUNCH))
CLEANED = with_items(ItemRequest(1, LUNCH), ItemRequest(2, CLEANING, parent=1), ItemRequest(3, CLEANING))
