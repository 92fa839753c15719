"""The figures that an order shows are those of its price: any other is found and named."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.arguments.fields import camel_case
from faregate.basket.lines import Line, pricing_lines
from faregate.discounts.kinds import AutomaticDiscount, Percentage
from faregate.tax.rates import VatRate
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals, checkout_totals
from faregate.totals.request import PricingRequest
from faregate_http.store.records import OrderRow
from faregate_server.audit.figures import figure_faults, read_figures
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.service.service import Json

ORDER = OrderRow("the-id", 1, 0, None, "a-channel", "WEB", "REF", "CHF", 0, "", b"", "")
AMOUNTS = (
    *("list_price_gross", "list_price_net", "promo_code_discount", "auto_discount_amount"),
    *("total_discount_gross", "total_discount_net", "total_gross", "total_net"),
)

of_items = checkouts(sizes=Sizes(lines=12, automatic=3, codes=4, vouchers=3), line_quantities=st.just(1))


def shown(request: PricingRequest) -> tuple[Json, CheckoutTotals]:
    """Return the figures that an order of *request* shows, and its price."""
    joined = pricing_lines(request.lines)
    totals = priced(request._replace(lines=joined.lines))
    variants = {line.key: line.variant for line in request.lines}
    items = [
        {
            **amounts_of(item),
            "id": item.key,
            "parentItemId": None,
            "productVariant": {"id": variants[item.key]},
            "autoDiscount": {"id": item.auto_discount.id} if item.auto_discount else None,
            "vatRate": item.rate.parts_per_million / 10_000,
        }
        for item in item_totals(totals, joined.members)
    ]
    figures = {
        **amounts_of(totals),
        "totalSubscriptionGross": totals.total_subscription_gross / 100,
        "totalSubscriptionNet": totals.total_subscription_net / 100,
        "uuid": "the-id",
        "status": "CLOSED",
        "referenceNumber": "REF",
        "salesChannel": {"uuid": "a-channel"},
        "currency": "CHF",
        "items": sorted(items, key=lambda item: item["id"]),
        "promoCodes": [
            {"code": code.code, "valid": code.valid, "totalAmount": code.total_amount / 100}
            for code in totals.promo_codes
        ],
        "autoDiscounts": [{"id": applied.discount.id} for applied in totals.auto_discounts],
        "vouchers": [{"code": paid.voucher.code, "amount": paid.amount / 100} for paid in totals.vouchers],
        "donation": {"amount": totals.donation / 100} if totals.donation else None,
    }
    return figures, totals


def amounts_of(totals: LineTotals | CheckoutTotals) -> Json:
    return {camel_case(name): getattr(totals, name) / 100 for name in AMOUNTS}


def faults(figures: Json, totals: CheckoutTotals) -> list[str]:
    return [*figure_faults(read_figures(msgspec.json.encode({"data": figures}).decode()), ORDER, totals)]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each object or array of figures that holds a single figure, with its key."""
    for key, inner in [*(value.items() if isinstance(value, dict) else enumerate(value))]:
        if isinstance(inner, dict | list):
            yield from places(inner)
        elif inner is not None:
            yield value, key


@given(of_items)
def test_the_figures_of_any_price_have_no_faults(request: PricingRequest) -> None:
    assert faults(*shown(request)) == []


@given(of_items, st.data())
def test_any_changed_figure_is_found(request: PricingRequest, data: st.DataObject) -> None:
    figures, totals = shown(request)
    item_ids = [(item, "id") for item in figures["items"]]
    holder, key = data.draw(st.sampled_from([place for place in places(figures) if place not in item_ids]))
    before = holder[key]

    match before:
        case bool():
            holder[key] = not before
        case str():
            holder[key] = f"{before}X"
        case _:
            holder[key] = before + 1
    found = faults(figures, totals)

    assert found != []
    assert key in {"code", "id", "uuid"} or key in "".join(found)


@given(of_items.filter(lambda request: request.lines), st.data())
def test_missing_and_duplicate_items_are_found(request: PricingRequest, data: st.DataObject) -> None:
    figures, totals = shown(request)
    item = data.draw(st.sampled_from(figures["items"]))
    others = [other for other in figures["items"] if other is not item]

    number = len(others) + 1
    assert faults({**figures, "items": [*figures["items"], item]}, totals) == [
        f"expected {number} items, got {number + 1}",
        f"item {item['id']} is not part of its price",
    ]
    assert faults({**figures, "items": others}, totals) == [f"expected {number} items, got {number - 1}"]


REQUEST = checkout_totals(
    [
        Line(1, 1081, 1, VatRate.percent("8.1"), variant=10),
        Line(2, 1081, 1, VatRate.percent("2.6"), variant=11),
    ],
    automatic=[AutomaticDiscount(id=7, kind=Percentage.percent(10))],
).request


@pytest.mark.parametrize(
    ("number", "change", "fault"),
    [
        pytest.param(
            1, {"totalNet": 1.005}, "item 2: totalNet: expected 9.48, got 1.005", id="more decimals"
        ),
        pytest.param(0, {"vatRate": 7.7}, "item 1: vatRate: expected 8.1, got 7.7", id="VAT rate"),
        pytest.param(
            0, {"autoDiscount": None}, "item 1: autoDiscount: expected {'id': 7}, got None", id="no discount"
        ),
        pytest.param(1, {"parentItemId": 3}, "item 2 precedes or lacks its parent 3", id="no parent"),
        pytest.param(0, {"parentItemId": 2}, "item 1 precedes or lacks its parent 2", id="parent later"),
    ],
)
def test_a_fault_of_an_item_names_it(number: int, change: Json, fault: str) -> None:
    figures, totals = shown(REQUEST)
    figures["items"][number] |= change

    assert faults(figures, totals) == [fault]
