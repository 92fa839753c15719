"""The form of a checkout: its JSON Schema, the answers it accepts, and their round trip."""

import json
from decimal import Decimal
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from faregate.checkout.model import Address, CheckoutConditions
from faregate.errors import InvalidCheckout
from faregate.money.amounts import LARGEST_AMOUNT
from faregate_http.offers.forms import CheckoutForm
from support.service.channel_forms import FORMS, NOTHING
from support.service.service import data_of, day_ticket, decoded, open_checkout

FERRY = FORMS["Ferry"]
WEBSHOP = FORMS["Webshop"]


def refused(
    form: CheckoutForm, values: dict[str, Any], known: CheckoutConditions = NOTHING
) -> dict[str, str]:
    """Return the messages of *form* about *values* by location."""
    with pytest.raises(InvalidCheckout) as caught:
        form.changed(known, values)
    return {"/".join(map(str, fault.loc)): fault.message for fault in caught.value.issues}


def answer(form: CheckoutForm, name: str, value: Any) -> Any:
    """Return *value* after it has been saved and shown."""
    return form.answered(form.changed(NOTHING, {name: value}))[name]


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("name", FORMS)
def test_the_definition_is_a_json_schema_of_2020_12(name: str, language: str) -> None:
    definition = FORMS[name].definition(language)

    assert definition["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(json.loads(json.dumps(definition)))


def test_required_answers_are_published_and_may_be_missing() -> None:
    assert WEBSHOP.definition("en")["required"] == ["acceptTerms"]
    assert FERRY.definition("en")["required"] == ["note"]
    assert FERRY.changed(NOTHING, {"seats": 1}).answers == (("seats", 1),)
    partial = FERRY.changed(NOTHING, {"billingAddress": {"city": "Naha"}})
    assert partial.billing_address == Address(city="Naha")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("note", "a"),
        ("note", "été…"),
        ("note", "\U0001f3bf" * 5),
        ("remark", "x" * 200),
        ("seats", -2),
        ("seats", 0),
        ("count", 2**53),
        ("window", False),
        ("day", "2028-02-29"),
        ("email", "anna@arvengrat.example"),
        ("class", "2"),
        ("required", "yes"),
        ("pattern", "^$"),
        ("multipleOf", 3),
        ("properties", True),
    ],
)
def test_a_valid_answer_is_returned_as_it_was_sent(name: str, value: Any) -> None:
    given_back = answer(FERRY, name, value)

    assert given_back == value
    assert type(given_back) is type(value)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("note", "", "expected at least 1 character"),
        ("note", "123456", "expected at most 5 characters"),
        ("note", 5, "expected string"),
        ("note", ["a"], "expected string"),
        ("note", {"a": 1}, "expected string"),
        ("remark", "x" * 201, "expected at most 200 characters"),
        ("remark", "x" * 100_000, "expected at most 200 characters"),
        ("seats", -3, "expected at least -2"),
        ("seats", 5, "expected at most 4"),
        ("seats", Decimal("1.5"), "expected integer"),
        ("seats", True, "expected integer"),
        ("seats", "1", "expected integer"),
        ("count", 2**53 + 1, f"expected at most {2**53}"),
        ("count", -(10**60), f"expected at least {-(2**53)}"),
        ("window", 1, "expected boolean"),
        ("window", "true", "expected boolean"),
        ("day", "2027-02-29", "expected a valid date"),
        ("day", "20270101", "expected a valid date"),
        ("day", "27-1-1", "expected a valid date"),
        ("day", "٢٠٢٧-12-27", "expected a valid date"),
        ("email", "nobody", "expected a valid email"),
        ("class", "3", "expected one of 1, 2"),
        ("acceptTerms", "yes", "expected boolean"),
        ("weatherGuarantee", 0, "expected boolean"),
    ],
)
def test_an_invalid_answer_is_refused_with_its_reason(name: str, value: Any, message: str) -> None:
    assert refused(FERRY, {name: value}) == {name: message}


@pytest.mark.parametrize(
    "character",
    ["\n", "\r", "\t", "\0", "\x1b", "\x7f", "\x85", "\x9f", "\u2028", "\u2029"],
)
@pytest.mark.parametrize("text", ["{}", "a{}", "{}a", "a{}b"])
def test_control_characters_are_refused_anywhere_in_a_line(text: str, character: str) -> None:
    line = text.format(character)
    message = "has characters that are not allowed"

    assert refused(FERRY, {"note": line}) == {"note": message}
    assert refused(FERRY, {"billingAddress": {"city": line}}) == {"billingAddress/city": message}


@pytest.mark.parametrize("code", ["ch", "CHE", "C", "CH\n", "ÄÖ", ""])
def test_a_country_code_is_two_capital_letters(code: str) -> None:
    assert set(refused(WEBSHOP, {"shippingAddress": {"countryCode": code}})) == {
        "shippingAddress/countryCode"
    }


def test_unknown_address_fields_are_refused() -> None:
    address = {"street": "Dorfstrasse", "city": 7, "zip": "x" * 21}

    assert refused(WEBSHOP, {"billingAddress": address}) == {
        "billingAddress/street": "unknown question",
        "billingAddress/city": "expected string",
        "billingAddress/zip": "expected at most 20 characters",
    }


@pytest.mark.parametrize(
    ("name", "amount", "minor_units"),
    [
        ("Webshop", Decimal("2.5"), 250),
        ("Webshop", Decimal("-0.00"), 0),
        ("Webshop", 10**10, LARGEST_AMOUNT),
        ("Ferry", 10**12, LARGEST_AMOUNT),
        ("Souk", Decimal("0.001"), 1),
    ],
)
def test_a_donation_is_read_exactly(name: str, amount: Any, minor_units: int) -> None:
    assert FORMS[name].changed(NOTHING, {"donation": amount}).donation == minor_units


@pytest.mark.parametrize(
    ("name", "amount", "message"),
    [
        ("Webshop", Decimal("2.555"), "2.555 has more decimals than CHF, which has 2"),
        ("Webshop", Decimal("1E-300"), "1E-300 has more decimals than CHF, which has 2"),
        ("Webshop", Decimal("1E+300"), "expected at most 10000000000"),
        ("Webshop", Decimal("-0.01"), "expected at least 0"),
        ("Webshop", True, "expected number"),
        ("Webshop", "5", "expected number"),
        ("Webshop", {"amount": 5}, "expected number"),
        ("Webshop", [5], "expected number"),
        ("Ferry", Decimal("0.5"), "0.5 has more decimals than JPY, which has 0"),
    ],
)
def test_an_invalid_donation_is_refused(name: str, amount: Any, message: str) -> None:
    assert refused(FORMS[name], {"donation": amount}) == {"donation": message}


def test_all_issues_are_listed_including_those_of_the_donation() -> None:
    values = {
        "donation": Decimal("2.555"),
        "guests": 0,
        "acceptTerms": "yes",
        "hotel": "",
        "wish": 1,
        "media": {"x": 1, "2": "keycard"},
    }

    assert refused(WEBSHOP, values) == {
        "donation": "2.555 has more decimals than CHF, which has 2",
        "guests": "expected at least 1",
        "acceptTerms": "expected boolean",
        "hotel": "expected at least 1 character",
        "wish": "unknown question",
        "media/x": "unknown question",
        "media/2": "expected integer",
    }


def test_media_are_kept_in_the_order_of_the_items() -> None:
    chosen = WEBSHOP.changed(NOTHING, {"media": {"10": 1, "9": 2, "2147483648": 3}})

    assert chosen.media == ((9, 2), (10, 1), (2**31, 3))


@pytest.mark.parametrize(
    "key", ["01", "+1", "-1", "0", "1.0", "1e0", " 1", "1 ", "1\n", "٣", "", "one", "12345678901", "1_0"]
)
def test_media_are_chosen_by_item_id(key: str) -> None:
    assert refused(WEBSHOP, {"media": {key: 1}}) == {f"media/{key}": "unknown question"}


@pytest.mark.parametrize("medium", [0, -1, "1", True, [1], Decimal("1.5"), {"id": 1}])
def test_a_medium_is_chosen_by_its_id(medium: Any) -> None:
    assert list(refused(WEBSHOP, {"media": {"1": medium}})) == ["media/1"]


def test_media_can_be_deselected_one_by_one_or_all_together() -> None:
    chosen = WEBSHOP.changed(NOTHING, {"media": {"1": 1, "2": 2}})

    assert WEBSHOP.changed(chosen, {"media": {"1": None}}).media == ((2, 2),)
    assert WEBSHOP.changed(chosen, {"media": None}).media == ()
    assert "media" not in WEBSHOP.answered(WEBSHOP.changed(chosen, {"media": {"1": None, "2": None}}))


def test_the_pointers_of_issues_lead_into_the_body(client: TestClient) -> None:
    url, before = open_checkout(client, day_ticket(1))
    values = {
        "hotel": "a\nb",
        "a/b~c": 1,
        "media": {"1": 9, "7": 1},
        "billingAddress": {"countryCode": "ch"},
    }
    shape = client.post(f"{url}/checkout-conditions", json={"formValues": values})
    meaning = client.post(f"{url}/checkout-conditions", json={"formValues": {"media": values["media"]}})

    assert {error["pointer"] for error in decoded(shape)["errors"]} == {
        "/formValues/hotel",
        "/formValues/a~1b~0c",
        "/formValues/billingAddress/countryCode",
    }
    assert {error["pointer"]: error["code"] for error in decoded(meaning)["errors"]} == {
        "/formValues/media/1": "unknown-medium",
        "/formValues/media/7": "unknown-item",
    }
    assert data_of(client.get(url)) == before


def test_the_form_is_in_the_language_of_the_request(client: TestClient) -> None:
    url, _ = open_checkout(client)
    titles = {}
    for language in ("en", "de", "fr", "it"):
        data = data_of(client.get(url, headers={"accept-language": language}))
        definition = data["checkoutConditions"]["formDefinition"]
        titles[language] = definition["properties"]["arrival"]["title"]

    assert titles == {
        "en": "Day of arrival",
        "de": "Anreisetag",
        "fr": "Jour d’arrivée",
        "it": "Giorno di arrivo",
    }
