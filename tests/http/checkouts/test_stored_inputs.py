"""Stored inputs of a checkout are read back unchanged, also by later releases."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.arguments.fields import fields_of
from faregate.checkout.code_limits import CodeLimit, LimitKind
from faregate.checkout.model import (
    FIRST_SERVICE_ID,
    Address,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    Component,
    ComponentSource,
    Quote,
)
from faregate.checkout.quotes import zone_of
from faregate.dates.instants import Interval, parse_interval
from faregate.discounts.kinds import Absolute, PromoCode
from faregate.files import demo_catalogue
from faregate.money.amounts import LARGEST_AMOUNT
from faregate.tax.rates import VatCategory, VatRate
from faregate_http.checkouts.stored_inputs import read_inputs, write_inputs
from support.service.service import WEBSHOP

CATALOGUE = demo_catalogue()
ZURICH = zone_of(CATALOGUE.product(11), CATALOGUE)
START = datetime(2026, 12, 1, 8, 30, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ACCOUNT = 7


def read(text: bytes | str) -> Checkout:
    encoded = text.encode() if isinstance(text, str) else text
    return read_inputs(encoded, channel=WEBSHOP, account=ACCOUNT, catalogue=CATALOGUE)


ids = st.integers(1, 2**53 - 1)
millis = st.integers(-(10**12), 10**13).map(lambda count: EPOCH + timedelta(milliseconds=count))
texts = st.text(st.characters(codec="utf-8"), max_size=8)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    """Draw an interval in the merchant's zone, including clock changes."""
    start = EPOCH + draw(st.timedeltas(timedelta(days=7_000), timedelta(days=84_000)))
    length = draw(st.timedeltas(timedelta(microseconds=1), timedelta(days=400)))
    return Interval(start.astimezone(ZURICH), (start + length).astimezone(ZURICH))


rates = st.one_of(
    st.integers(101, 10**6).map(lambda parts: VatRate(parts_per_million=parts)),
    st.builds(
        VatRate,
        parts_per_million=st.just(0),
        category=st.sampled_from([VatCategory.E, VatCategory.AE, VatCategory.O]),
        reason_code=texts,
        reason=texts,
    ),
)
quotes = st.builds(Quote, st.integers(-LARGEST_AMOUNT, LARGEST_AMOUNT), rates, millis)
components = st.builds(
    Component, st.sampled_from(ComponentSource), st.integers(0, 9), st.none() | st.integers(1, 99)
)
items = st.builds(
    CheckoutItem,
    ids,
    st.sampled_from([101, 211, 411]),
    st.none() | intervals(),
    st.none() | ids,
    st.none() | ids,
    st.none() | ids,
    st.none() | ids,
    st.none() | ids,
    st.none() | components,
    quotes,
)
addresses = st.builds(Address, *[st.none() | texts] * 6)
conditions = st.builds(
    CheckoutConditions,
    donation=st.none() | st.integers(0, LARGEST_AMOUNT),
    weather_guarantee=st.none() | st.booleans(),
    accept_terms=st.none() | st.booleans(),
    billing_address=st.none() | addresses,
    shipping_address=st.none() | addresses,
    media=st.lists(st.tuples(ids, ids), max_size=3).map(tuple),
    answers=st.lists(
        st.tuples(texts, st.one_of(texts, st.booleans(), st.integers(-(2**53), 2**53))), max_size=3
    ).map(tuple),
)
allowances = st.builds(CodeLimit, st.sampled_from(LimitKind), texts)
promo_codes = st.builds(
    PromoCode,
    code=st.sampled_from(["X-1", "X-2"]),
    kind=st.builds(Absolute, st.integers(1, 9_999)),
    uses_left=st.none() | st.integers(0, 9),
    budget_left=st.none() | st.integers(0, 9_999),
)
checkouts = st.builds(
    Checkout,
    st.just(WEBSHOP),
    st.lists(items, max_size=4).map(tuple),
    codes=st.lists(texts, max_size=3).map(tuple),
    conditions=conditions,
    account=st.just(ACCOUNT),
    customer_groups=st.frozensets(texts, max_size=3),
    removed=st.frozensets(ids, max_size=4),
    next_id=st.integers(FIRST_SERVICE_ID, 2**53),
    spent=st.lists(st.tuples(allowances, st.integers(1, LARGEST_AMOUNT)), max_size=3).map(tuple),
    promo_codes=st.lists(promo_codes, max_size=2).map(tuple),
)


@given(checkouts)
def test_a_checkout_is_read_back_unchanged(checkout: Checkout) -> None:
    text = write_inputs(checkout)

    assert read(text) == checkout
    assert _types(read(text)) == _types(checkout)
    assert write_inputs(read(text)) == text


def _types(value: Any) -> Any:
    """Return the types of all parts, because 1, 1.0 and True are equal."""
    parts = fields_of(value).values() or (value if isinstance(value, tuple) else ())
    return type(value), [_types(part) for part in parts]


@given(intervals())
def test_a_validity_period_is_read_back_with_the_merchants_offset(validity: Interval) -> None:
    quote = Quote(0, VatRate(parts_per_million=0), START)
    checkout = Checkout(WEBSHOP, (CheckoutItem(1, 101, validity, quote=quote),))
    [item] = read(write_inputs(checkout)).items

    assert item.validity is not None
    assert [bound.isoformat() for bound in item.validity] == [bound.isoformat() for bound in validity]


def test_defaults_are_not_written() -> None:
    assert json.loads(write_inputs(Checkout(WEBSHOP))) == {}


def test_the_stored_text_is_readable() -> None:
    day = parse_interval("2026-12-27", "2026-12-27", ZURICH)
    item = CheckoutItem(
        1, 101, day, discount_card=1, quote=Quote(6350, VatRate(parts_per_million=81_000), START)
    )
    fee = Component(ComponentSource.MEDIUM, 0, 1)
    child = CheckoutItem(
        2**31, 911, parent=1, component=fee, quote=Quote(600, VatRate(parts_per_million=81_000), START)
    )
    conditions = CheckoutConditions(donation=250, billing_address=Address(city="Chur"), media=((1, 1),))
    checkout = Checkout(
        WEBSHOP,
        (item, child),
        codes=("WINTER10",),
        conditions=conditions,
        account=None,
        removed=frozenset({3, 2}),
        next_id=2**31 + 1,
    )

    assert json.loads(write_inputs(checkout)) == {
        "items": [
            {
                "id": 1,
                "variant": 101,
                "listPrice": 6350,
                "vatPartsPerMillion": 81_000,
                "pricedAt": 1_796_113_800_000,
                "validFrom": 1_798_326_000_000_000,
                "validTo": 1_798_412_400_000_000,
                "discountCard": 1,
            },
            {
                "id": 2**31,
                "variant": 911,
                "listPrice": 600,
                "vatPartsPerMillion": 81_000,
                "pricedAt": 1_796_113_800_000,
                "parent": 1,
                "component": ["medium", 0, 1],
            },
        ],
        "codes": ["WINTER10"],
        "donation": 250,
        "billingAddress": [None, None, None, "Chur", None, None],
        "media": [[1, 1]],
        "removed": [2, 3],
        "nextId": 2**31 + 1,
    }


def test_an_untaxed_category_is_written_with_its_reason() -> None:
    rate = VatRate(parts_per_million=0, category=VatCategory.E, reason_code="VATEX-EU-I", reason="Museum")
    item = CheckoutItem(1, 101, quote=Quote(600, rate, START))
    [written] = json.loads(write_inputs(Checkout(WEBSHOP, (item,))))["items"]

    assert {key: value for key, value in written.items() if "vat" in key.lower()} == {
        "vatPartsPerMillion": 0,
        "vatCategory": "E",
        "vatReasonCode": "VATEX-EU-I",
        "vatReason": "Museum",
    }


def test_an_item_without_a_quote_is_refused() -> None:
    with pytest.raises(ValueError, match="item 5 has no quote"):
        write_inputs(Checkout(WEBSHOP, (CheckoutItem(5, 101),)))


def test_fields_of_a_later_release_are_ignored() -> None:
    item = {"id": 1, "variant": 411, "listPrice": 2250, "vatPartsPerMillion": 26_000, "pricedAt": 0}
    text = {"items": [{**item, "seat": {"row": 3}}], "subscription": [1, {"x": None}], "codes": ["A"]}
    later = read(json.dumps(text))

    assert later == read(json.dumps({"items": [item], "codes": ["A"]}))


def test_a_discontinued_item_can_be_read() -> None:
    day = parse_interval("2026-12-27", "2026-12-27", ZURICH)
    quote = Quote(7900, VatRate(parts_per_million=81_000), START)
    gone = Checkout(WEBSHOP, (CheckoutItem(1, 999_999, day, quote=quote),))
    [item] = read(write_inputs(gone)).items

    assert item.validity == day
