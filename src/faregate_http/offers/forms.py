"""The form of a checkout: its JSON Schema, what answers may look like, and what they mean. Decisions §11.5.

``required`` is published but not checked here: an answer may be missing until the checkout is paid.
"""

from __future__ import annotations

import re
from dataclasses import astuple
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from jsonschema import Draft202012Validator, FormatChecker

from faregate.catalogue.presentation.form_fields import FieldKind
from faregate.checkout.item_requests import MAX_ITEMS
from faregate.checkout.model import Address, CheckoutConditions
from faregate.errors import InvalidAmount, InvalidCheckout, Issue
from faregate.money.amounts import LARGEST_AMOUNT, format_minor_units, parse_minor_units
from faregate.translations import Text
from faregate_http.protocol.numbers import major_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jsonschema.exceptions import ValidationError

    from faregate.catalogue.channels import Channel
    from faregate.catalogue.presentation.form_fields import FormField
    from faregate.money.amounts import MinorUnits
    from faregate.money.currency import Currency

Values: TypeAlias = dict[str, Any]
"""Answers as they are on the wire."""

_Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""What ``$schema`` of every form says."""

_FORMATS = FormatChecker(["date", "email"])
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
        de="Ich akzeptiere die Geschäftsbedingungen",
        fr="J’accepte les conditions générales",
        it="Accetto le condizioni generali",
    ),
    "media": Text("Media", de="Datenträger", fr="Supports", it="Supporti"),
    "addressLine1": Text("Address", de="Adresse", fr="Adresse", it="Indirizzo"),
    "addressLine2": Text(
        "Address, second line", de="Adresszusatz", fr="Complément d’adresse", it="Indirizzo, seconda riga"
    ),
    "zip": Text("Postal code", de="Postleitzahl", fr="Code postal", it="CAP"),
    "city": Text("City", de="Ort", fr="Localité", it="Località"),
    "state": Text("State", de="Kanton oder Bundesland", fr="Canton ou région", it="Cantone o regione"),
    "countryCode": Text("Country", de="Land", fr="Pays", it="Paese"),
}

# The wire's names of the parts of an address, in the order of its fields.
_ADDRESS_PARTS = ("addressLine1", "addressLine2", "zip", "city", "state", "countryCode")


class CheckoutForm:
    """The form of one channel, in every language."""

    def __init__(self, channel: Channel, unit: Currency) -> None:
        self._channel = channel
        self._unit = unit
        self._validator = answers_validator(self.definition("en"))

    def definition(self, language: str) -> _Schema:
        """The JSON Schema that describes the answers, with titles in *language*."""
        most = LARGEST_AMOUNT // 10**self._unit.exponent
        own = {
            # No multipleOf: validators that divide binary fractions would refuse every seventh amount.
            "donation": {"type": "number", "minimum": 0, "maximum": most, "x-decimals": self._unit.exponent},
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
        for name, schema in own.items():
            schema["title"] = _TITLES[name].in_language(language)
        asked = fields_schema(self._channel.form, language)
        terms = ["acceptTerms"] if self._channel.requires_terms else []
        return {
            "$schema": DIALECT,
            **asked,
            "properties": {**own, **asked["properties"]},
            "required": [*terms, *asked["required"]],
            "$defs": {"address": _address_schema(language)},
        }

    def changed(self, conditions: CheckoutConditions, patch: Mapping[str, Any]) -> CheckoutConditions:
        """*conditions* with *patch* merged in (RFC 7396).

        Raises:
            InvalidCheckout: lists every value that the form does not take, and where.
        """
        _check_size(patch)
        values = self.answered(conditions)
        if conditions.donation is not None:
            # Exactly, where the wire has a binary fraction that only prints as the amount.
            values["donation"] = Decimal(format_minor_units(conditions.donation, self._unit))
        return self._conditions(merged(values, patch))

    def _conditions(self, values: Values) -> CheckoutConditions:
        faults = answer_faults(self._validator, values)
        donation: MinorUnits | None = None
        if "donation" in values and ("donation",) not in {fault.loc for fault in faults}:
            try:
                donation = parse_minor_units(values["donation"], self._unit)
            except InvalidAmount as error:
                faults.append(Issue(("donation",), str(error)))
        if faults:
            raise InvalidCheckout(*faults)
        return CheckoutConditions(
            donation=donation,
            weather_guarantee=values.get("weatherGuarantee"),
            accept_terms=values.get("acceptTerms"),
            billing_address=_address(values.get("billingAddress")),
            shipping_address=_address(values.get("shippingAddress")),
            media=tuple(sorted((int(item), medium) for item, medium in values.get("media", {}).items())),
            answers=tuple(
                (field.name, values[field.name]) for field in self._channel.form if field.name in values
            ),
        )

    def answered(self, conditions: CheckoutConditions) -> Values:
        """*conditions* as they are on the wire."""
        donation = conditions.donation
        values: Values = {
            "donation": None if donation is None else major_units(self._unit)(donation),
            "weatherGuarantee": conditions.weather_guarantee,
            "acceptTerms": conditions.accept_terms,
            "billingAddress": _address_values(conditions.billing_address),
            "shippingAddress": _address_values(conditions.shipping_address),
            "media": {str(item): medium for item, medium in conditions.media} or None,
        }
        given = {name: value for name, value in values.items() if value is not None}
        return given | dict(conditions.answers)


def _check_size(patch: Mapping[str, Any]) -> None:
    """Refuse answers with more entries than there could be items, before each entry is looked at."""
    crowded = [name for name, answer in patch.items() if isinstance(answer, dict) and len(answer) > MAX_ITEMS]
    if crowded:
        message = f"expected at most {MAX_ITEMS} entries"
        raise InvalidCheckout(*[Issue((name,), message) for name in crowded])


def merged(values: Values, patch: Mapping[str, Any]) -> Values:
    """*values* with *patch* merged in (RFC 7396): null removes, objects merge, all else replaces.

    >>> merged({"a": 1, "b": {"c": 2, "d": 3}}, {"a": None, "b": {"d": 4}})
    {'b': {'c': 2, 'd': 4}}
    """
    result = dict(values)
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            before = result.get(name)
            result[name] = merged(before if isinstance(before, dict) else {}, value)
        else:
            result[name] = value
    return result


def fields_schema(fields: Sequence[FormField], language: str) -> _Schema:
    """The JSON Schema of the answers to *fields*, with titles in *language*."""
    return {
        "type": "object",
        "properties": {field.name: _field_schema(field, language) for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def _field_schema(field: FormField, language: str) -> _Schema:
    schema: _Schema = {"title": field.title.in_language(language), **_kind_schema(field, language)}
    if field.description.en:
        schema["description"] = field.description.in_language(language)
    return schema


def _kind_schema(field: FormField, language: str) -> _Schema:
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


def _text(longest: int) -> _Schema:
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": _ONE_LINE}


def _address_schema(language: str) -> _Schema:
    parts: dict[str, _Schema] = {name: _text(_LONGEST_TEXT) for name in _ADDRESS_PARTS}
    parts["zip"]["maxLength"] = 20
    parts["countryCode"] = {"type": "string", "pattern": "^[A-Z]{2}$"}
    for name, schema in parts.items():
        schema["title"] = _TITLES[name].in_language(language)
    return {
        "type": "object",
        "properties": parts,
        "required": ["addressLine1", "zip", "city", "countryCode"],
        "additionalProperties": False,
    }


def answers_validator(schema: _Schema) -> Draft202012Validator:
    """What checks answers by *schema*, but for what is required."""
    return Draft202012Validator(_lenient(schema), format_checker=_FORMATS)


def answer_faults(validator: Draft202012Validator, values: Values) -> list[Issue]:
    """What *validator* finds in *values*, and where."""
    return [fault for error in validator.iter_errors(values) for fault in _faults(error)]


def _lenient(schema: object) -> Any:
    """*schema* without ``required``, which is for later, and with patterns as Python reads them."""
    match schema:
        case dict():
            # A keyword has no dict there; a question may be called "required" as well.
            return {
                _in_python(name): _lenient_part(name, part)
                for name, part in schema.items()
                if name != "required" or isinstance(part, dict)
            }
        case list():
            return [_lenient(part) for part in schema]
        case _:
            return schema


def _lenient_part(name: str, part: object) -> Any:
    return _in_python(part) if name == "pattern" and isinstance(part, str) else _lenient(part)


def _in_python(text: str) -> str:
    r"""A pattern whose end is the end: to Python, ``$`` is also before a line feed.

    >>> _in_python("^[A-Z]{2}$"), _in_python("title")
    ('^[A-Z]{2}\\Z', 'title')
    """
    return rf"{text[:-1]}\Z" if text.startswith("^") and text.endswith("$") else text


def _address_values(address: Address | None) -> Values | None:
    if address is None:
        return None
    parts = zip(_ADDRESS_PARTS, astuple(address), strict=True)
    return {part: text for part, text in parts if text is not None}


def _address(values: Values | None) -> Address | None:
    return None if values is None else Address(*(values.get(part) for part in _ADDRESS_PARTS))


_EXPECTED = {
    "type": "expected {}",
    "minimum": "expected at least {}",
    "maximum": "expected at most {}",
    "minLength": "expected at least {} character",
    "maxLength": "expected at most {} characters",
    "format": "expected {}: there is no such one",
}


def _faults(error: ValidationError) -> Iterator[Issue]:
    """A finding of jsonschema in our words, which never repeat a long value."""
    place = tuple(error.absolute_path)
    if error.validator == "additionalProperties":
        schema = cast("_Schema", error.schema)
        patterns = "|".join(schema.get("patternProperties", ())) or "(?!)"
        for name in cast("Values", error.instance):
            if name not in schema.get("properties", ()) and not re.search(patterns, name):
                yield Issue((*place, name), "there is no such question")
    elif error.validator == "oneOf":
        choices = ", ".join(choice["const"] for choice in cast("list[_Schema]", error.validator_value))
        yield Issue(place, f"expected one of {choices}")
    elif error.validator == "pattern":
        yield Issue(place, "has characters that are not accepted here")
    else:
        yield Issue(place, _EXPECTED[str(error.validator)].format(error.validator_value))
