"""Public values are frozen dataclasses, or named tuples where there are thousands of rows. Decisions §1.5."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

import faregate
from faregate.arguments.fields import field_names, fields_of
from faregate.checkout.changes import add_items
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import Checkout
from faregate.checkout.priced import price_checkout
from faregate.files import demo_catalogue

ROWS = {
    *("Line", "LineTotals", "GrossNet", "Step", "CheckoutTotals", "AppliedCode", "RejectedCode"),
    *("CheckoutItem", "ItemRequest", "ValidityOption", "PriceRange", "CapacityRange", "BillingPeriod"),
    *("ListPrice", "ListPriceQuery", "Duration", "Interval", "PoolSlot", "PoolUsage", "Issue"),
}
"""Named tuples, since thousands are created or hashed; decisions §1.5 gives the figures."""

WITH_DERIVED_VALUES = {"Calendar", "Catalogue", "DayPattern", "Season", "Variant"}
"""Values with derived data in cached properties, and therefore without slots."""

PACKAGE: Any = faregate
CLASSES = [
    pytest.param(getattr(PACKAGE, name), id=name)
    for name in PACKAGE.__all__
    if isinstance(getattr(PACKAGE, name), type) and field_names(getattr(PACKAGE, name))
]


@pytest.mark.parametrize("kind", CLASSES)
def test_a_public_value_is_a_frozen_dataclass_unless_it_is_a_listed_row(kind: Any) -> None:
    is_dataclass: bool = dataclasses.is_dataclass(kind)
    if not is_dataclass:
        assert kind.__name__ in ROWS
        return
    assert kind.__name__ not in ROWS
    assert kind.__dataclass_params__.frozen
    assert not issubclass(kind, tuple)
    assert hasattr(kind, "__slots__") is not (kind.__name__ in WITH_DERIVED_VALUES)


def values_in(value: Any, seen: set[int]) -> Iterator[Any]:
    """Yield *value* and all public values that it contains."""
    if id(value) in seen:
        return
    seen.add(id(value))
    parts: Any = fields_of(value).values()
    if parts:
        yield value
    elif isinstance(value, tuple | list | frozenset):
        parts = value
    elif isinstance(value, Mapping):
        parts = value.values()
    for part in parts:
        yield from values_in(part, seen)


def test_every_value_of_a_priced_checkout_is_an_object_of_its_fields() -> None:
    catalogue, at = demo_catalogue(), datetime(2026, 12, 1, 9, tzinfo=UTC)
    day = "2027-01-16"
    checkout = Checkout(channel=catalogue.channels[0].uuid)
    requests = [ItemRequest(n, 101, (day, day)) for n in (1, 2)]
    checkout = add_items(checkout, requests, catalogue=catalogue, at=at)
    priced = price_checkout(checkout, catalogue=catalogue, at=at)

    found = {type(value).__name__: fields_of(value) for value in values_in(priced, set())}

    assert {
        "PricedCheckout",
        "Checkout",
        "CheckoutItem",
        "CheckoutTotals",
        "Line",
        "LineTotals",
    } <= found.keys()
    assert found["Line"].keys() == set(faregate.Line._fields)
    for fields in found.values():
        assert all(isinstance(name, str) for name in fields)
