"""The form of a checkout as JSON Schema: built-in questions, questions of the channel, and their texts."""

from dataclasses import replace
from typing import Any

import pytest

from faregate.catalogue.channels import Channel, ChannelType
from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.catalogue.presentation.form_schema import checkout_form_schema
from faregate.translations import LANGUAGES, Text

QUESTIONS = (
    FormField(name="note", kind=FieldKind.TEXT, title=Text("Note", de="Notiz"), max_length=5),
    FormField(
        name="remark", kind=FieldKind.TEXT, title=Text("Remark"), description=Text("If any", de="Falls")
    ),
    FormField(name="seats", kind=FieldKind.INTEGER, title=Text("Seats"), minimum=-2, required=True),
    FormField(name="age", kind=FieldKind.INTEGER, title=Text("Age"), maximum=120),
    FormField(name="window", kind=FieldKind.BOOLEAN, title=Text("Window")),
    FormField(name="day", kind=FieldKind.DATE, title=Text("Day")),
    FormField(name="email", kind=FieldKind.EMAIL, title=Text("E-mail")),
    FormField(
        name="class",
        kind=FieldKind.CHOICE,
        title=Text("Class"),
        choices=(Choice("1", Text("First", de="Erste")), Choice("2", Text("Second"))),
    ),
)
FERRY = Channel(uuid="ferry", name="Ferry", type=ChannelType.WEB, currency="JPY", form=QUESTIONS)


def line(title: str, longest: int = 200) -> dict[str, Any]:
    """Return the schema of a text of one line."""
    pattern = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
    return {"title": title, "type": "string", "minLength": 1, "maxLength": longest, "pattern": pattern}


GERMAN_ADDRESS = {
    "type": "object",
    "properties": {
        "addressLine1": line("Adresse"),
        "addressLine2": line("Adresszusatz"),
        "zip": line("Postleitzahl", 20),
        "city": line("Ort"),
        "state": line("Kanton oder Bundesland"),
        "countryCode": {"title": "Land", "type": "string", "pattern": "^[A-Z]{2}$"},
    },
    "required": ["addressLine1", "zip", "city", "countryCode"],
    "additionalProperties": False,
}
GERMAN_QUESTIONS = {
    "donation": {"title": "Spende", "type": "number", "minimum": 0, "maximum": 10**12, "x-decimals": 0},
    "billingAddress": {"title": "Rechnungsadresse", "$ref": "#/$defs/address"},
    "shippingAddress": {"title": "Lieferadresse", "$ref": "#/$defs/address"},
    "weatherGuarantee": {"title": "Wettergarantie", "type": "boolean"},
    "acceptTerms": {"title": "Ich akzeptiere die Allgemeinen Geschäftsbedingungen", "type": "boolean"},
    "media": {
        "title": "Datenträger",
        "type": "object",
        "patternProperties": {"^[1-9][0-9]{0,9}$": {"type": "integer", "minimum": 1}},
        "additionalProperties": False,
    },
    "note": line("Notiz", 5),
    "remark": {**line("Remark"), "description": "Falls"},
    "seats": {"title": "Seats", "type": "integer", "minimum": -2, "maximum": 9_007_199_254_740_992},
    "age": {"title": "Age", "type": "integer", "minimum": -9_007_199_254_740_992, "maximum": 120},
    "window": {"title": "Window", "type": "boolean"},
    "day": {"title": "Day", "type": "string", "format": "date", "maxLength": 10},
    "email": {**line("E-mail"), "pattern": r"^[^@\s]+@[^@\s]+$", "format": "email"},
    "class": {
        "title": "Class",
        "type": "string",
        "oneOf": [{"const": "1", "title": "Erste"}, {"const": "2", "title": "Second"}],
    },
}


def test_the_form_asks_the_questions_of_every_checkout_and_then_those_of_the_channel() -> None:
    schema = checkout_form_schema(replace(FERRY, requires_terms=True), "de")

    assert schema == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": GERMAN_QUESTIONS,
        "required": ["acceptTerms", "seats"],
        "additionalProperties": False,
        "$defs": {"address": GERMAN_ADDRESS},
    }
    assert list(schema["properties"]) == list(GERMAN_QUESTIONS)
    assert checkout_form_schema(FERRY, "de")["required"] == ["seats"]


@pytest.mark.parametrize(("currency", "decimals", "most"), [("JPY", 0, 10**12), ("KWD", 3, 10**9)])
def test_a_donation_has_the_decimals_of_its_currency(currency: str, decimals: int, most: int) -> None:
    donation = checkout_form_schema(replace(FERRY, currency=currency), "en")["properties"]["donation"]

    assert donation["x-decimals"] == decimals
    assert donation["maximum"] == most
    assert type(donation["maximum"]) is int  # not written as 1000000000.0


def test_only_the_wording_differs_between_languages() -> None:
    def without_words(schema: Any) -> Any:
        if isinstance(schema, dict):
            return {
                name: without_words(part)
                for name, part in schema.items()
                if not (name in {"title", "description"} and isinstance(part, str))
            }
        return [without_words(part) for part in schema] if isinstance(schema, list) else schema

    shapes = [without_words(checkout_form_schema(FERRY, language)) for language in LANGUAGES]

    assert all(shape == shapes[0] for shape in shapes)
