"""What the lines of a checkout are called, by the names of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from faregate.render.wording import printable, validity_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faregate.catalogue.catalogue import Catalogue
    from faregate.checkout.model import CheckoutItem


def line_labels(
    items: Iterable[CheckoutItem], members: Iterable[tuple[int, ...]], catalogue: Catalogue
) -> dict[int, str]:
    """The label of every line, by the key of the line; *members* are the ids of its items."""
    by_id = {item.id: item for item in items}
    return {ids[0]: item_label(by_id[ids[0]], catalogue) for ids in members}


def item_label(item: CheckoutItem, catalogue: Catalogue) -> str:
    """What an item is, for example ``Day ticket · Adult · 27 Dec 2026``."""
    return printable(" · ".join(part for part in _parts(item, catalogue) if part))


def _parts(item: CheckoutItem, catalogue: Catalogue) -> Iterator[str]:
    product, variant = catalogue.variant(item.variant)
    yield str(product.translation) or product.name
    if len(product.variants) > 1:
        yield str(variant.translation) or variant.name
    if item.validity is not None:
        yield validity_label(item.validity, ZoneInfo(catalogue.merchant(product.merchant).timezone))
    yield from (str(card.name) for card in catalogue.discount_cards if card.id == item.discount_card)
