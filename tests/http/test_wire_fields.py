"""Real checkouts, and the schemas of the OpenAPI document, have the documented fields and no others."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient

from serving.documented_fields import (
    ADDRESS,
    ATTRIBUTE,
    AUTOMATIC_DISCOUNT,
    CHECKOUT,
    CHECKOUT_ITEM,
    INVALID_PROMO_CODE,
    MEDIUM,
    PRODUCT_SUMMARY,
    PRODUCT_VARIANT,
    SALES_CHANNEL,
    SUBSCRIPTION_CONFIGURATION,
    SUPPORTED_PAYMENT_METHOD,
    VALID_PROMO_CODE,
    MayBeAbsent,
    Nullable,
    Type,
    nullable_fields,
    undocumented,
    values_at,
)
from serving.documented_schemas import schema_differences
from serving.service import (
    PARTNERS,
    SUNDAY,
    VALLEY_STATION,
    Clock,
    Json,
    data_of,
    day_ticket,
    item,
    new_url,
    open_checkout,
)

# No fee of the demo resort has attributes.
ALWAYS_EMPTY = {"items[].productVariant.availableMedia[].priceComponents[].productVariant.attributes"}

# Only a payment detail, which an account has, fills it: test_payments.py.
ALWAYS_NULL = {"paymentMethod"}

# The specification calls none of these nullable.
NULL_BY_DECISION = {
    "items[].parentItemId": "§11.3",
    "items[].parentItem": "§11.3",
    "items[].validity": "§11.7",
    "items[].autoDiscount": "§5",
}

ADDRESS_GIVEN = {"addressLine1": "Dorfstrasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}


# ---------------------------------------------------------------- responses


def bare(client: TestClient, _clock: Clock) -> Json:
    """Nothing in it."""
    return open_checkout(client)[1]


def full(client: TestClient, _clock: Clock) -> Json:
    """Something of everything."""
    url, _ = open_checkout(
        client,
        day_ticket(1),
        day_ticket(2, 103),
        item(3, 511, validity=SUNDAY, parentItemId=1),
        item(4, 211),
        item(5, 411),
        item(6, 311, validity=SUNDAY),
    )
    for code in ("WINTER10", "ALPINE50", "LUNCH4", "TRIO195", "GIFT-100", "OLD-80"):
        client.post(f"{url}/vouchers", json={"voucherCode": code})
    values = {
        "donation": 2.5,
        "billingAddress": ADDRESS_GIVEN,
        "shippingAddress": {},
        "media": {"1": 1, "4": 3},
        "weatherGuarantee": True,
        "hotel": "Zum Bären",
    }
    return data_of(client.post(f"{url}/checkout-conditions", json={"formValues": values}))


def lacking(client: TestClient, _clock: Clock) -> Json:
    """Codes that lack money, units or nothing that can be said."""
    url, _ = open_checkout(client, item(1, 411))
    for code in ("ALPINE50", "SKI4FOR3", "TRIO195", "SEASON2024"):
        client.post(f"{url}/vouchers", json={"voucherCode": code})
    return data_of(client.get(url))


def early(client: TestClient, clock: Clock) -> Json:
    """A code that has not begun."""
    clock.now = datetime(2023, 9, 30, 12, 0, tzinfo=UTC)
    url, _ = open_checkout(client, item(1, 411))
    return data_of(client.post(f"{url}/vouchers", json={"voucherCode": "SEASON2024"}))


def expired(client: TestClient, clock: Clock) -> Json:
    """Over."""
    url, _ = open_checkout(client, day_ticket(1))
    clock.turn(minutes=31)
    return data_of(client.get(url))


def net(client: TestClient, _clock: Clock) -> Json:
    """Of the channel with net prices."""
    headers = {"service-channel-uuid": PARTNERS}
    body = {"items": [item(1, 711, validity=SUNDAY), item(2, 721)]}
    return data_of(client.post(f"{new_url()}/items", json=body, headers=headers))


def at_the_counter(client: TestClient, _clock: Clock) -> Json:
    """Of the channel without a form or ways to pay online."""
    headers = {"service-channel-uuid": VALLEY_STATION}
    return data_of(client.post(f"{new_url()}/items", json={"items": [day_ticket(1)]}, headers=headers))


def each_month(client: TestClient, _clock: Clock) -> Json:
    """Of a subscription that renews on the first of the month."""
    return open_checkout(client, item(1, 221))[1]


def every_so_many_days(client: TestClient, _clock: Clock) -> Json:
    """Of a subscription that counts days."""
    return open_checkout(client, item(1, 231))[1]


def settled(client: TestClient, _clock: Clock) -> Json:
    """Paid."""
    headers = {"service-channel-uuid": VALLEY_STATION}
    url = new_url()
    opened = data_of(client.post(f"{url}/items", json={"items": [day_ticket(1)]}, headers=headers))
    body = {"expectedTotal": float(opened["totalGross"]), "provider": "ON_SITE"}
    return data_of(client.post(f"{url}/payment", json=body, headers=headers))


RESPONSES = (
    bare,
    full,
    lacking,
    early,
    expired,
    net,
    at_the_counter,
    each_month,
    every_so_many_days,
    settled,
)


@pytest.mark.parametrize("made", RESPONSES)
@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_a_checkout_has_the_documented_fields_and_no_others(
    client: TestClient, clock: Clock, made: Callable[[TestClient, Clock], Json], language: str
) -> None:
    client.headers["accept-language"] = language

    assert list(undocumented(made(client, clock))) == []


def test_every_nullable_field_was_seen_with_a_value_and_as_null(client: TestClient, clock: Clock) -> None:
    answers = [made(client, clock) for made in RESPONSES]

    for path, _ in nullable_fields():
        seen = {value is None for data in answers for value in values_at(data, path)}
        assert seen == ({True} if path in ALWAYS_NULL else {True, False}), path


def test_every_array_was_seen_with_an_element(client: TestClient, clock: Clock) -> None:
    answers = [made(client, clock) for made in RESPONSES]

    for path in _arrays(CHECKOUT):
        seen = any(value for data in answers for value in values_at(data, path))
        assert seen == (path not in ALWAYS_EMPTY), path


def test_both_variants_of_a_promo_code_and_every_thing_missing_were_seen(
    client: TestClient, clock: Clock
) -> None:
    answers = [made(client, clock) for made in RESPONSES]
    codes = [code for data in answers for code in data["promoCodes"]]

    assert {code["valid"] for code in codes} == {True, False}
    assert {frozenset(code["missing"]) for code in codes if "missing" in code} == {
        frozenset({"spend"}),
        frozenset({"quantity"}),
        frozenset({"until"}),
    }


def test_what_may_be_null_beyond_the_specification_is_decided() -> None:
    assert {path: decided for path, decided in nullable_fields() if decided} == NULL_BY_DECISION


def _arrays(documented: Type, path: str = "") -> Iterator[str]:
    match documented:
        case Nullable(inner, _):
            yield from _arrays(inner, path)
        case MayBeAbsent():
            return
        case dict():
            for name, part in documented.items():
                yield from _arrays(part, f"{path}.{name}" if path else name)
        case [element]:
            yield path
            yield from _arrays(element, f"{path}[]")


# ---------------------------------------------------------------- the OpenAPI document

COMPONENTS: dict[str, dict[str, Type]] = {
    "Checkout": CHECKOUT,
    "SalesChannel": SALES_CHANNEL,
    "SupportedPaymentMethod": SUPPORTED_PAYMENT_METHOD,
    "CheckoutItem": CHECKOUT_ITEM,
    "ItemVariant": PRODUCT_VARIANT,
    "Attribute": ATTRIBUTE,
    "ProductSummary": PRODUCT_SUMMARY,
    "Medium": MEDIUM,
    "PromoCode": VALID_PROMO_CODE,
    "InvalidPromoCode": INVALID_PROMO_CODE,
    "AutoDiscount": AUTOMATIC_DISCOUNT,
    "SubscriptionConfiguration": SUBSCRIPTION_CONFIGURATION,
    "Address": ADDRESS,
}

# A schema says less than the table where the words come from the catalogue, and where nothing comes yet.
SAID_OTHERWISE = ("edia[].type", "Medium.type", "paymentMethod")


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_schema_of_the_document_has_the_documented_fields(name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}"}

    assert list(schema_differences(COMPONENTS[name], schema, name, free=SAID_OTHERWISE)) == []
