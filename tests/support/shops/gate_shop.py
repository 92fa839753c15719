"""A ticket with gate ids, and gate requests for it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.gate_rules import AccessTariff
from faregate.catalogue.pools import Pool
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import ExternalId, Variant
from faregate.dates.durations import Duration
from faregate.gate.price import gate_price
from faregate.gate.requests import GateRequest, Moment
from support.shops.booking_shop import ADULT, CHILD, DAY, shop, ticket, variant

SATURDAY, SUNDAY = "2027-01-09", "2027-01-10"


def known_as(number: int, entry: Variant) -> Variant:
    """Return the variant with gate ids: 1 with that number, and P1 with the letter of that number."""
    kinds = ("dta_product_id", "dta_consumer_category", "system_product_id", "system_consumer_category")
    values = ("1", str(number), "P1", "ABC"[number - 1])
    ids = [
        ExternalId(system="gate", kind=kind, value=value) for kind, value in zip(kinds, values, strict=True)
    ]
    return replace(entry, external_ids=tuple(ids))


def resort(
    *prices: PriceRule,
    durations: Sequence[Duration] = (DAY,),
    model: PriceModel = PriceModel.STATIC,
    tariffs: Sequence[AccessTariff] = (),
    timezone: str = "Europe/Zurich",
    **product: Any,
) -> Catalogue:
    """Return a ticket for an adult at these prices, and one for a child at 30.00."""
    adult = replace(known_as(1, variant(ADULT, *prices)), access_tariffs=tuple(tariffs))
    child = known_as(2, variant(CHILD, PriceRule(3000)))
    sold = replace(ticket(adult, child, durations=durations, price_model=model), **product)
    return shop(sold, pools=[Pool(identifier="mountain", size=None)], timezone=timezone)


def asked(valid_from: Moment = SATURDAY, valid_to: Moment | None = None, **changes: Any) -> GateRequest:
    """Return a request for one adult, ordered a week ahead."""
    request = GateRequest(
        valid_from=valid_from,
        order_date="2027-01-02",
        quantity=1,
        currency_code="CHF",
        valid_to=valid_to,
        dta_product_id=1,
        dta_consumer_category=1,
    )
    return replace(request, **changes)


def price(catalogue: Catalogue, request: GateRequest) -> int:
    """Return the price of one unit."""
    return gate_price(request, catalogue=catalogue).unit_price
