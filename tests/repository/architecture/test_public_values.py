"""Public values are frozen dataclasses, or named tuples where there are thousands of rows. Decisions §1.5."""

import copy
import dataclasses
import importlib
import pickle
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from inspect import isfunction
from typing import Any, get_type_hints
from zoneinfo import ZoneInfo

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
    "StepDifference",
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


FACES: Any = [
    faregate,
    *(importlib.import_module(f"faregate.{face}") for face in ("batch", "frames", "plot")),
]
PUBLIC = {
    f"{face.__name__}.{name}": found
    for face in FACES
    for name in face.__all__
    if callable(found := getattr(face, name))
}


def test_annotations_resolve() -> None:
    for public, found in PUBLIC.items():
        members = {name: member for name, member in vars(found).items() if not name.startswith("_")}
        functions = [getattr(each, "fget", getattr(each, "__func__", each)) for each in members.values()]

        assert get_type_hints(found).keys() >= set(field_names(found)), public
        for function in [found, *functions]:
            assert not isfunction(function) or "return" in get_type_hints(function), (public, function)


def test_an_editor_shows_a_short_first_line() -> None:
    lengths = {public: len(found.__doc__.strip().split("\n")[0]) for public, found in PUBLIC.items()}

    assert [public for public, length in lengths.items() if not 0 < length <= 100] == []


def samples() -> dict[type, Any]:
    """Return a value of each public class."""
    catalogue, at = demo_catalogue(), datetime(2026, 12, 1, 9, tzinfo=UTC)
    day = date(2027, 1, 16)
    span, rate = faregate.DateRange(day, date(2027, 1, 20)), faregate.VatRate.percent("8.1")
    slot = faregate.PoolSlot("mountain", day)
    plan = faregate.Plan(price=8000, rule=faregate.EveryMonths(3))
    query = faregate.ValidityQuery(15, day, day)
    where: Any = {"catalogue": catalogue, "capacity": {}, "now": at}
    checkout = Checkout(channel=catalogue.channels[0].uuid)
    request = ItemRequest(1, 101, (f"{day}", f"{day}"))
    checkout = add_items(checkout, [request], catalogue=catalogue, at=at)
    totals = faregate.checkout_totals(
        [faregate.Line(1, 1999, 3, rate)],
        automatic=[faregate.AutomaticDiscount(id=1, kind=faregate.Absolute(100))],
        promo_codes=[
            faregate.PromoCode(code="TEN", kind=faregate.Percentage.percent(25)),
            faregate.UnknownCode("ELEVEN"),
        ],
        vouchers=[faregate.Voucher(code="GIFT", balance=100)],
    )
    order = faregate.PaidOrder(
        totals=totals, payments=(faregate.Payment(name="card", amount=totals.amount_due),)
    )
    returned, policy = faregate.ReturnedUnits(line=1), faregate.RefundPolicy()
    distribution = faregate.PriceDistribution.from_prices([100, 200, 400])
    roots = [
        catalogue,
        price_checkout(checkout, catalogue=catalogue, at=at),
        faregate.explain(totals),
        faregate.difference(faregate.explain(totals), faregate.explain(totals)),
        faregate.en16931_totals(totals),
        faregate.validity_options(query, **where),
        faregate.suggest_validities(query, **where),
        faregate.offered_prices(query, **where),
        faregate.price_ranges(catalogue.product(15), **where),
        faregate.list_price(catalogue.variant(101)[1], product=catalogue.variant(101)[0]),
        faregate.GatePrice(
            unit_price=1, calculated_price=1, currency="CHF", quantity=1, list_price=faregate.ListPrice(1, 1)
        ),
        faregate.GateRequest(valid_from=day, order_date=at, quantity=1, currency_code="CHF"),
        distribution,
        distribution.summary(),
        faregate.price_insight(distribution, 200),
        faregate.subscription_configuration(
            faregate.Monthly(), ordered_at=at, zone=ZoneInfo("Europe/Zurich")
        ),
        faregate.billing_period(faregate.Yearly(), anchor=day, day=day),
        faregate.change_quote(plan, plan, anchor=day, on=day),
        [plan, faregate.ChangePolicy(), faregate.EveryMonths(3), faregate.EveryYears(2)],
        faregate.allocate_capped(10, [1, 2], [None, 3]),
        faregate.fits_capacity({slot: 1}, {slot: 0}),
        [
            request,
            query,
            span,
            faregate.ListPriceQuery(first_day=day),
            faregate.PoolUsage(1, 2),
            faregate.CapacityRange(1, 2),
        ],
        [faregate.Address(city="Chur"), faregate.Customer({1: {"ages": [7]}}, owner=1)],
        [faregate.Requirements(owner=True, billing_address=False, shipping_address=False)],
        [faregate.CodeLimit(faregate.LimitKind.USES, "TEN"), faregate.Shortfall(spend=100)],
        [
            faregate.PricingRules(),
            faregate.Yearly(),
            faregate.Issue(("items", 0), "unknown", faregate.IssueCode.INVALID),
        ],
        [order, returned, policy, faregate.refund_quote(order, [returned], policy=policy, at=at)],
        [faregate.Money.parse("1.20", "CHF"), faregate.GrossNet(108, 100), faregate.PerUnit(100)],
        faregate.Bundle(parts=(faregate.BundlePart(faregate.Scope(), 2),), price=100),
    ]
    return {type(value): value for value in values_in(roots, set())}


DERIVED = {"PromoCode": {"limit", "is_used_up"}, "PriceDistribution": {"n"}}

SUMMARISED = {"Catalogue", "PricedCheckout", "Trace", "ValidityOptions"}
"""Values that a console shows in one line, since their fields fill pages."""

SAMPLES = samples()
VALUES = [pytest.param(value, id=kind.__name__) for kind, value in SAMPLES.items()]


def test_there_is_a_sample_of_each_public_class() -> None:
    assert {param.values[0] for param in CLASSES} - SAMPLES.keys() == set()


@pytest.mark.parametrize("value", VALUES)
def test_copies_are_equal_to_their_value(value: Any) -> None:
    pickled = [pickle.dumps(value, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]

    for copied in [copy.copy(value), copy.deepcopy(value), *map(pickle.loads, pickled)]:
        assert type(copied) is type(value)
        assert copied == value
        assert hash(copied) == hash(value)
        assert repr(copied) == repr(value)


@pytest.mark.parametrize("value", VALUES)
def test_the_repr_of_a_value_recreates_it_or_names_its_fields(value: Any) -> None:
    kind, text = type(value), repr(value)
    names = [name for name in field_names(value) if name not in DERIVED.get(kind.__name__, ())]

    if kind.__name__ in SUMMARISED:
        assert text.startswith(f"<{kind.__name__}: ")
    elif not all(f"{name}=" in text for name in names):
        assert eval(text, vars(faregate) | {kind.__name__: kind}) == value


@pytest.mark.parametrize("value", [value for value in VALUES if dataclasses.is_dataclass(value.values[0])])
def test_a_value_differs_from_values_of_other_classes_with_the_same_fields(value: Any) -> None:
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    twin = dataclasses.make_dataclass(type(value).__name__, fields, frozen=True)(**fields)

    assert value not in (twin, tuple(fields.values()))
    assert twin != value
