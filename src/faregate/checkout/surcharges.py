"""Price components: the child items added for a ticket medium or the weather guarantee. Decisions §11.5."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import count
from typing import TypeAlias

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.products import PriceComponent, Surcharge
from faregate.checkout.model import Checkout, CheckoutItem, Component, ComponentSource, Quote
from faregate.checkout.quotes import rate_of
from faregate.errors import InvalidCheckout, Issue, IssueCode, UnknownEntry
from faregate.money.amounts import MinorUnits

_Slot: TypeAlias = tuple[int, Component]
"""The id of an item, and a component that the item requires."""


def with_components(checkout: Checkout, *, catalogue: Catalogue, at: datetime) -> Checkout:
    """Return *checkout* with exactly the child items that its media and its weather guarantee require.

    Existing child items keep their id and quote; new ones are quoted at the instant *at*.

    Raises:
        InvalidCheckout: a medium or variant is no longer in the catalogue.
    """
    wanted = dict(_wanted(checkout, catalogue))
    by_id = {item.id: item for item in checkout.items}
    there = {(item.parent, item.component) for item in checkout.items}
    kept = [item for item in checkout.items if not item.component or (item.parent, item.component) in wanted]
    ids = count(checkout.next_id)
    added = [
        CheckoutItem(
            next(ids),
            fee.variant,
            parent=parent,
            component=component,
            quote=Quote(fee.price, rate_of(by_id[parent], catalogue, at, fee.variant), at),
        )
        for (parent, component), fee in wanted.items()
        if (parent, component) not in there
    ]
    if not added and len(kept) == len(checkout.items):
        return checkout
    return replace(checkout, items=(*kept, *added), next_id=next(ids))


def _wanted(checkout: Checkout, catalogue: Catalogue) -> Iterator[tuple[_Slot, PriceComponent | Surcharge]]:
    media, guaranteed = dict(checkout.conditions.media), checkout.conditions.weather_guarantee
    for item in checkout.items:
        if item.component is not None:
            continue
        try:
            if item.id in media:
                medium = catalogue.medium(media[item.id])
                for position, component in enumerate(medium.price_components):
                    yield (item.id, Component(ComponentSource.MEDIUM, position, medium.id)), component
            if guaranteed:
                product, _ = catalogue.variant(item.variant)
                for position, surcharge in enumerate(product.weather_guarantee):
                    yield (item.id, Component(ComponentSource.WEATHER_GUARANTEE, position)), surcharge
        except UnknownEntry as error:
            code = IssueCode.UNKNOWN_MEDIUM if error.kind == "medium" else IssueCode.UNKNOWN_VARIANT
            raise InvalidCheckout(Issue((), f"item {item.id}: {error}", code)) from error


def weather_guarantee_price(checkout: Checkout, catalogue: Catalogue) -> MinorUnits | None:
    """Return the total price of a weather guarantee for all items that support it; None if no item does.

    Items that are no longer sold do not support it.
    """
    surcharges = [
        surcharge
        for item in checkout.items
        if item.component is None
        for surcharge in _guarantee(item, catalogue)
    ]
    return sum(surcharge.price for surcharge in surcharges) if surcharges else None


def _guarantee(item: CheckoutItem, catalogue: Catalogue) -> tuple[Surcharge, ...]:
    try:
        return catalogue.variant(item.variant)[0].weather_guarantee
    except UnknownEntry:
        return ()
