"""Values of every public class, drawn from the annotations of their fields."""

import typing
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import faregate
from faregate.amount_due.vouchers import Voucher
from faregate.catalogue.catalogue import Catalogue
from faregate.discounts.kinds import Conditions, Scope
from faregate.errors import FaregateError
from faregate.refunds.orders import PaidOrder, Payment
from faregate.tax.rates import VatCategory, VatRate
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.request import PricingRequest

_PACKAGE: Any = faregate
PUBLIC: list[Any] = [
    *(
        kind
        for kind in (getattr(_PACKAGE, name) for name in _PACKAGE.__all__)
        if isinstance(kind, type) and kind is not int and not issubclass(kind, Enum | Exception)
    ),
    PricingRequest,
]
"""Every public class of values."""

ATTEMPTS = 12

FIXED = timezone(timedelta(hours=-5))
zones: SearchStrategy[tzinfo] = st.sampled_from(
    [*map(ZoneInfo, ("Europe/Zurich", "UTC", "America/St_Johns")), UTC, FIXED]
)
instants = st.builds(
    lambda seconds, zone: datetime.fromtimestamp(seconds / 1_000_000, zone), st.integers(0, 2 * 10**15), zones
)
# The clocks of Zurich show 02:30 twice on this day: the offset alone tells which is meant.
twice_shown = st.builds(
    lambda fold: datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Zurich"), fold=fold), st.integers(0, 1)
)
texts = st.text(max_size=6) | st.sampled_from(["WEB", "A", "Europe/Zurich", "1", "2026-12-27", "null", "ß"])
numbers = st.integers(1, 7) | st.sampled_from([0, 1, 101, 50_000, 2**53 + 1]) | st.integers(-5, 10**12)
weekdays = st.frozensets(st.integers(1, 7), max_size=3)
fractions = st.fractions(min_value=0, max_value=100)
KINDS: dict[Any, SearchStrategy[Any]] = {
    str: texts,
    int: numbers,
    bool: st.booleans(),
    float: st.floats(allow_nan=False),
    date: st.dates(date(1990, 1, 1), date(2040, 1, 1)),
    datetime: instants | twice_shown,
    time: st.times(),
    timedelta: st.timedeltas(timedelta(0), timedelta(days=40)) | st.just(timedelta(microseconds=-1)),
    tzinfo: zones,
    Fraction: fractions,
    Decimal: st.decimals(allow_nan=False, allow_infinity=False, places=3),
    object: st.none() | st.booleans() | numbers | texts | st.lists(numbers, max_size=2),
}


@st.composite
def rates(draw: DrawFn) -> VatRate:
    if draw(st.booleans()):
        return VatRate(parts_per_million=draw(st.integers(101, 10**6)))
    category = draw(st.sampled_from([VatCategory.Z, VatCategory.E, VatCategory.O]))
    reason = draw(texts) if category.needs_reason else ""
    return VatRate(parts_per_million=0, category=category, reason=reason)


@st.composite
def vouchers(draw: DrawFn) -> Voucher:
    balance, code = draw(st.integers(0, 10**9)), draw(st.sampled_from(["A", "b2", "ß"]))
    expires_at, rate = draw(st.none() | instants), draw(st.none() | rates())
    if rate is None:
        return Voucher(code=code, balance=balance, expires_at=expires_at)
    single: dict[str, Any] = {"single_purpose": rate, "face_value": balance + draw(st.integers(0, 9))}
    return Voucher(code=code, balance=balance, expires_at=expires_at, **single, scope=draw(values_of(Scope)))


@st.composite
def paid_orders(draw: DrawFn) -> PaidOrder:
    drawn = draw(values_of(CheckoutTotals).filter(lambda totals: totals.amount_due >= 0))
    rows = [*enumerate(zip(drawn.lines, drawn.request.lines, strict=False))]
    totals = drawn._replace(
        lines=tuple([row._replace(key=n, quantity=line.quantity) for n, (row, line) in rows]),
        request=drawn.request._replace(lines=tuple([line._replace(key=n) for n, (_, line) in rows])),
    )
    cash = draw(st.integers(0, totals.amount_due))
    parts = zip(draw(st.permutations(["cash", "card"])), (cash, totals.amount_due - cash), strict=True)
    return PaidOrder(totals=totals, payments=tuple([Payment(name=name, amount=part) for name, part in parts]))


KINDS |= {
    VatRate: rates(),
    PaidOrder: paid_orders(),
    Voucher: vouchers(),
    # Entries that fit together are not drawn but read: see the test of the demo resort.
    Catalogue: st.just(Catalogue()),
}
FIELDS: dict[tuple[Any, str], SearchStrategy[Any]] = {
    (Scope, "weekdays"): weekdays,
    (Conditions, "weekdays"): weekdays,
}


@cache
def values_of(annotation: Any) -> SearchStrategy[Any]:
    """Draw values of an annotation."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation is NoneType:
        return st.none()
    if origin in (UnionType, typing.Union):
        return st.one_of([values_of(each) for each in inner])
    if origin is tuple and inner[-1] is not ...:
        return st.tuples(*[values_of(each) for each in inner])
    if origin in (tuple, frozenset):
        return st.lists(st.deferred(lambda: values_of(inner[0])), max_size=2).map(origin)
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(values_of(inner[0]), values_of(inner[1]), max_size=2)
    if annotation in KINDS:
        return KINDS[annotation]
    if issubclass(annotation, Enum):
        return st.sampled_from(list(annotation))
    return _objects(annotation)


@st.composite
def _objects(draw: DrawFn, kind: Any) -> Any:
    """Draw a value of a class that its own checks accept; most optional fields keep their default."""
    hints = typing.get_type_hints(kind)
    for _ in range(ATTEMPTS):
        given = {
            each.name: draw(FIELDS.get((kind, each.name), values_of(hints[each.name])))
            for each in signature(kind).parameters.values()
            if each.default is Parameter.empty or draw(st.integers(0, 2)) == 0
        }
        try:
            return kind(**given)
        except FaregateError:
            continue
    return reject()
