"""Strategies for past orders in repricing tests, as tables and as scalar totals."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC
from typing import Any, NamedTuple

import pyarrow as pa
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from faregate.basket.lines import Line
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import PromoCode
from faregate.discounts.pricing_rules import PricingRules
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import (
    automatic_discounts,
    baskets,
    contexts,
    entered_codes,
    every_policy,
    scales,
    upto,
)
from support.columns.priced_baskets import at_any_time

FIGURES = (
    "list_price_gross",
    "list_price_net",
    "auto_discount",
    "auto_discount_amount",
    "promo_code_discount",
    "total_discount_gross",
    "total_discount_net",
    "total_gross",
    "total_net",
)
SUMS = (
    "list_price_gross",
    "list_price_net",
    "promo_code_discount",
    "auto_discount_amount",
    "total_discount_gross",
    "total_discount_net",
    "total_subscription_gross",
    "total_subscription_net",
    "donation",
    "total_gross",
    "total_net",
)
SCHEMA = pa.schema(
    [
        ("checkout", pa.string()),
        ("key", pa.int64()),
        ("unit_price", pa.int64()),
        ("quantity", pa.int32()),
        ("rate", pa.int32()),
        ("product", pa.int64()),
        ("variant", pa.int16()),
        ("category", pa.int64()),
        ("discount_card", pa.int64()),
        ("attribute.age", pa.string()),
        ("attribute.zone", pa.string()),
        ("first_day", pa.date32()),
        ("floor_price", pa.int64()),
        ("discountable", pa.bool_()),
        ("counted", pa.bool_()),
        ("is_subscription", pa.bool_()),
        ("recurring_price", pa.int64()),
        ("codes", pa.string()),
        ("ordered_at", pa.timestamp("us", "UTC")),
        ("ordered_on", pa.date32()),
        ("channel", pa.string()),
        ("account", pa.int64()),
        ("customer_group", pa.string()),
        ("donation", pa.int64()),
    ]
)


class Orders(NamedTuple):
    """Checkouts sold under the same rules; ``order`` is the order of their rows in a frame."""

    rules: PricingRules
    requests: Sequence[PricingRequest]
    order: Sequence[int]

    def together(self) -> pa.Table:
        return table_of(self.requests)

    def scattered(self) -> pa.Table:
        return self.together().take(pa.array(self.order, pa.int64()))

    def totals(self) -> dict[str, CheckoutTotals]:
        return {f"c{index}": _priced(request) for index, request in enumerate(self.requests) if request.lines}

    def figures(self) -> dict[tuple[str, int], tuple[Any, ...]]:
        """Return the scalar figures of each line, by checkout and key."""
        return {
            (checkout, line.key): tuple(
                line.auto_discount.id
                if name == "auto_discount" and line.auto_discount
                else getattr(line, name)
                for name in FIGURES
            )
            for checkout, found in self.totals().items()
            for line in found.lines
        }


def _priced(request: PricingRequest) -> CheckoutTotals:
    arguments = request._asdict()
    return checkout_totals(arguments.pop("lines"), **arguments)


def table_of(requests: Sequence[PricingRequest]) -> pa.Table:
    rows = [row for index, request in enumerate(requests) for row in _rows(f"c{index}", request)]
    return pa.Table.from_pylist(rows, SCHEMA)


def _rows(checkout: str, request: PricingRequest) -> Iterator[dict[str, Any]]:
    context = request.context
    at, channel, account = context.at, context.channel, context.account
    assert at is not None
    for line in request.lines:
        attributes = dict(line.attributes)
        yield {
            "checkout": checkout,
            **{name: value for name, value in line._asdict().items() if name in SCHEMA.names},
            "rate": line.rate.parts_per_million,
            "attribute.age": attributes.get("age"),
            "attribute.zone": attributes.get("zone"),
            "first_day": line.validity and line.validity.first_day,
            "codes": ", ".join(f" {promo_code.code.lower()}" for promo_code in request.promo_codes),
            "ordered_at": at.astimezone(UTC),
            "ordered_on": at.date(),
            "channel": channel,
            "account": account,
            "customer_group": next(iter(context.customer_groups), None),
            "donation": request.donation,
        }


def _of_one_age(line: Line) -> Line:
    """Make an attribute the same for all lines: a column has one value of it."""
    return line._replace(attributes=frozenset(dict(sorted(line.attributes)).items()))


def _of_one_group(context: Context) -> Context:
    """Leave the customer one group: a column has no more."""
    return replace(context, customer_groups=frozenset(sorted(context.customer_groups)[:1]))


@st.composite
def past_orders(draw: DrawFn, *, most: int = 5) -> Orders:
    scale = draw(scales)
    automatic = at_any_time(draw(automatic_discounts(scale)))
    entered = at_any_time(draw(entered_codes(scale)))
    policy = draw(every_policy)
    requests = []
    for _ in range(draw(upto(most))):
        codes = [code for code in entered if draw(st.integers(0, 3))]
        requests.append(
            PricingRequest(
                lines=tuple(map(_of_one_age, draw(baskets(scale=scale, max_lines=12)))),
                automatic=automatic,
                promo_codes=tuple(codes),
                donation=draw(upto(scale)),
                vouchers=(),
                policy=policy,
                context=_of_one_group(draw(contexts)),
            )
        )
    rules = PricingRules(
        automatic=automatic,
        promo_codes=tuple(code for code in entered if isinstance(code, PromoCode)),
        policy=policy,
    )
    rows = sum(len(request.lines) for request in requests)
    return Orders(rules, requests, draw(st.permutations(range(rows))))
