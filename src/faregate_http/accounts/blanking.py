"""Checkouts and orders without what tells who somebody is: what was bought stays. Decisions §13."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from faregate_http.protocol.frozen import pack, unpack

if TYPE_CHECKING:
    from faregate_http.store.records import OrderRow

_PERSONAL_INPUTS = frozenset({"billingAddress", "shippingAddress", "answers"})

_IMPERSONAL_VALUES = frozenset({"donation", "weatherGuarantee", "acceptTerms", "media"})
"""Form values about the purchase; all others are addresses or answers to questions of the channel."""


def blanked_inputs(inputs: bytes) -> bytes:
    """*inputs* of a checkout without addresses, answers and persons; the same bytes where there are none."""
    found: dict[str, Any] = msgspec.json.decode(inputs)
    blank = _without(found, _PERSONAL_INPUTS)
    if "items" in blank:
        blank["items"] = [_without(item, {"person"}) for item in blank["items"]]
    return inputs if blank == found else msgspec.json.encode(blank)


def blanked_order(order: OrderRow) -> OrderRow:
    """*order* showing no address, answer or proposed value in any language; the same if it shows none."""
    figures = order.figures.encode()
    blank = _blanked_body(figures)
    if blank == figures:
        return order
    bodies = {language: _blanked_body(body) for language, body in unpack(order.views).items()}
    return order._replace(figures=blank.decode(), views=pack(bodies))


def _blanked_body(body: bytes) -> bytes:
    envelope: dict[str, Any] = msgspec.json.decode(body)
    shown = envelope["data"]
    conditions = shown["checkoutConditions"]
    values = conditions["values"]
    conditions |= {"defaultValues": {}, "values": _without(values, values.keys() - _IMPERSONAL_VALUES)}
    shown |= {"billingAddress": None, "shippingAddress": None}
    return msgspec.json.encode(envelope)


def _without(values: dict[str, Any], names: frozenset[str] | set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}
