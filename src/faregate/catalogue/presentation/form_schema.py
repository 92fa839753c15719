"""Forms as JSON Schemas, which describe the questions and the accepted answers. Decisions §11.5."""

from collections.abc import Sequence
from typing import Any, TypeAlias, assert_never

from faregate.catalogue.channels import Channel
from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.money.amounts import LARGEST_AMOUNT
from faregate.money.currency import currency
from faregate.translations import Text

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The JSON Schema dialect that every form declares as its ``$schema``."""

ADDRESS_FIELDS = {
    "addressLine1": "address_line1",
    "addressLine2": "address_line2",
    "zip": "zip",
    "city": "city",
    "state": "state",
    "countryCode": "country_code",
}
"""The name of each question about an address, mapped to the matching field of ``Address``."""

_LONGEST_TEXT = 200
_ONE_LINE = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"

_TITLES = {
    "donation": Text("Donation", de="Spende", fr="Don", it="Donazione"),
    "billingAddress": Text(
        "Billing address", de="Rechnungsadresse", fr="Adresse de facturation", it="Indirizzo di fatturazione"
    ),
    "shippingAddress": Text(
        "Shipping address", de="Lieferadresse", fr="Adresse de livraison", it="Indirizzo di consegna"
    ),
    "weatherGuarantee": Text(
        "Weather guarantee", de="Wettergarantie", fr="Garantie météo", it="Garanzia meteo"
    ),
    "acceptTerms": Text(
        "I accept the terms and conditions",
        de="Ich akzeptiere die Allgemeinen Geschäftsbedingungen",
        fr="J’accepte les conditions générales",
        it="Accetto le condizioni generali",
    ),
    "media": Text("Media", de="Datenträger", fr="Supports", it="Supporti"),
    "addressLine1": Text("Address", de="Adresse", fr="Adresse", it="Indirizzo"),
    "addressLine2": Text(
        "Address, second line", de="Adresszusatz", fr="Complément d’adresse", it="Indirizzo (riga 2)"
    ),
    "zip": Text("Postal code", de="Postleitzahl", fr="Code postal", it="CAP"),
    "city": Text("City", de="Ort", fr="Localité", it="Località"),
    "state": Text("State", de="Kanton oder Bundesland", fr="Canton ou région", it="Cantone o regione"),
    "countryCode": Text("Country", de="Land", fr="Pays", it="Paese"),
}


def checkout_form_schema(channel: Channel, language: str) -> Schema:
    """Return the JSON Schema of the checkout form of *channel*, with titles in *language*."""
    asked = fields_schema(channel.form, language)
    terms = ["acceptTerms"] if channel.requires_terms else []
    return {
        "$schema": DIALECT,
        **asked,
        "properties": {**_titled(_own_questions(channel), language), **asked["properties"]},
        "required": [*terms, *asked["required"]],
        "$defs": {"address": _address_schema(language)},
    }


def fields_schema(fields: Sequence[FormField], language: str) -> Schema:
    """Return the JSON Schema of the answers to *fields*, with titles in *language*."""
    return {
        "type": "object",
        "properties": {field.name: _field_schema(field, language) for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def _own_questions(channel: Channel) -> dict[str, Schema]:
    """Return the JSON Schemas of the built-in checkout questions, keyed by name."""
    decimals = currency(channel.currency).exponent
    return {
        # No multipleOf: validators that divide binary fractions would reject every seventh amount.
        "donation": {
            "type": "number",
            "minimum": 0,
            "maximum": LARGEST_AMOUNT // 10**decimals,
            "x-decimals": decimals,
        },
        "billingAddress": {"$ref": "#/$defs/address"},
        "shippingAddress": {"$ref": "#/$defs/address"},
        "weatherGuarantee": {"type": "boolean"},
        "acceptTerms": {"type": "boolean"},
        "media": {
            "type": "object",
            "patternProperties": {"^[1-9][0-9]{0,9}$": {"type": "integer", "minimum": 1}},
            "additionalProperties": False,
        },
    }


def _address_schema(language: str) -> Schema:
    parts: dict[str, Schema] = {name: _text(_LONGEST_TEXT) for name in ADDRESS_FIELDS}
    parts["zip"]["maxLength"] = 20
    parts["countryCode"] = {"type": "string", "pattern": "^[A-Z]{2}$"}
    return {
        "type": "object",
        "properties": _titled(parts, language),
        "required": ["addressLine1", "zip", "city", "countryCode"],
        "additionalProperties": False,
    }


def _titled(questions: dict[str, Schema], language: str) -> dict[str, Schema]:
    return {
        name: {**schema, "title": _TITLES[name].in_language(language)} for name, schema in questions.items()
    }


def _field_schema(field: FormField, language: str) -> Schema:
    schema: Schema = {"title": field.title.in_language(language), **_kind_schema(field, language)}
    if field.description.en:
        schema["description"] = field.description.in_language(language)
    return schema


def _kind_schema(field: FormField, language: str) -> Schema:
    match field.kind:
        case FieldKind.TEXT:
            return _text(field.max_length or _LONGEST_TEXT)
        case FieldKind.EMAIL:
            return {**_text(_LONGEST_TEXT), "pattern": r"^[^@\s]+@[^@\s]+$", "format": "email"}
        case FieldKind.DATE:
            return {"type": "string", "format": "date", "maxLength": 10}
        case FieldKind.BOOLEAN:
            return {"type": "boolean"}
        case FieldKind.CHOICE:
            choices = [
                {"const": choice.value, "title": choice.label.in_language(language)}
                for choice in field.choices
            ]
            return {"type": "string", "oneOf": choices}
        case FieldKind.INTEGER:
            bounds = {"minimum": field.minimum, "maximum": field.maximum}
            given = {name: bound for name, bound in bounds.items() if bound is not None}
            return {"type": "integer", "minimum": -(2**53), "maximum": 2**53, **given}
        case _ as unreachable:
            assert_never(unreachable)


def _text(longest: int) -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": _ONE_LINE}
