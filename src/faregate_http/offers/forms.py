"""The form of a checkout: validation and interpretation of answers. Decisions §11.5.

``required`` is published but not checked here: answers may be missing until the checkout is paid.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, TypeAlias, cast

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from faregate.catalogue.channels import Channel
from faregate.catalogue.presentation.form_schema import ADDRESS_FIELDS, Schema, checkout_form_schema
from faregate.checkout.item_requests import MAX_ITEMS
from faregate.checkout.model import Address, CheckoutConditions
from faregate.errors import InvalidAmount, InvalidCheckout, Issue
from faregate.money.amounts import MinorUnits, format_minor_units, parse_minor_units
from faregate.money.currency import currency
from faregate_http.protocol.numbers import major_units

Values: TypeAlias = dict[str, Any]
"""Answers to a form as sent by the client, keyed by question."""

_FORMATS = FormatChecker(["date", "email"])


class CheckoutForm:
    """The checkout form of one channel, in every language."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._unit = currency(channel.currency)
        self._validator = answers_validator(self.definition("en"))

    def definition(self, language: str) -> Schema:
        """Return the JSON Schema of the answers, with titles in *language*."""
        return checkout_form_schema(self._channel, language)

    def changed(self, conditions: CheckoutConditions, patch: Mapping[str, Any]) -> CheckoutConditions:
        """Return *conditions* after merging *patch* into the answers (RFC 7396).

        Raises:
            InvalidCheckout: the form rejects values; the error lists all of them with their locations.
        """
        _check_size(patch)
        values = self.answered(conditions)
        if conditions.donation is not None:
            # A Decimal, because the float in the response equals the amount only when printed.
            values["donation"] = Decimal(format_minor_units(conditions.donation, self._unit))
        return self._conditions(merged(values, patch))

    def _conditions(self, values: Values) -> CheckoutConditions:
        issues = answer_issues(self._validator, values)
        donation: MinorUnits | None = None
        if "donation" in values and ("donation",) not in {issue.loc for issue in issues}:
            try:
                donation = parse_minor_units(values["donation"], self._unit)
            except InvalidAmount as error:
                issues.append(Issue(("donation",), str(error)))
        if issues:
            raise InvalidCheckout(*issues)
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
        """Return *conditions* as answers to the form."""
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
    """Check that no answer in *patch* has more entries than a checkout can have items."""
    crowded = [name for name, answer in patch.items() if isinstance(answer, dict) and len(answer) > MAX_ITEMS]
    if crowded:
        message = f"expected at most {MAX_ITEMS} entries"
        raise InvalidCheckout(*[Issue((name,), message) for name in crowded])


def merged(values: Values, patch: Mapping[str, Any]) -> Values:
    """Return *values* with *patch* merged in (RFC 7396): null removes, objects merge, other values replace.

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


def answers_validator(schema: Schema) -> Draft202012Validator:
    """Return a validator for answers to the form *schema*; it ignores ``required``."""
    return Draft202012Validator(_lenient(schema), format_checker=_FORMATS)


def answer_issues(validator: Draft202012Validator, values: Values) -> list[Issue]:
    """Return all issues that *validator* finds in *values*."""
    return [issue for error in validator.iter_errors(values) for issue in _issues(error)]


def _lenient(schema: object) -> Any:
    """Return *schema* with Python patterns and without ``required``, which is checked at payment."""
    match schema:
        case dict():
            # As a keyword, "required" is not an object; a question may have that name.
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
    r"""Return the pattern *text* with a final ``$`` replaced by ``\Z``; in Python, ``$`` allows a line feed.

    >>> _in_python("^[A-Z]{2}$"), _in_python("title")
    ('^[A-Z]{2}\\Z', 'title')
    """
    return rf"{text[:-1]}\Z" if text.startswith("^") and text.endswith("$") else text


def _address_values(address: Address | None) -> Values | None:
    if address is None:
        return None
    answers = {question: getattr(address, field) for question, field in ADDRESS_FIELDS.items()}
    return {question: answer for question, answer in answers.items() if answer is not None}


def _address(values: Values | None) -> Address | None:
    if values is None:
        return None
    return Address(**{field: values.get(question) for question, field in ADDRESS_FIELDS.items()})


_EXPECTED = {
    "type": "expected {}",
    "minimum": "expected at least {}",
    "maximum": "expected at most {}",
    "minLength": "expected at least {} character",
    "maxLength": "expected at most {} characters",
    "format": "expected a valid {}",
    "pattern": "has characters that are not allowed",
}


def _issues(error: ValidationError) -> Iterator[Issue]:
    """Yield the issues of a jsonschema error, with messages that never repeat a long value."""
    loc = tuple(error.absolute_path)
    if error.validator == "additionalProperties":
        schema = cast("Schema", error.schema)
        patterns = "|".join(schema.get("patternProperties", ())) or "(?!)"
        for name in cast("Values", error.instance):
            if name not in schema.get("properties", ()) and not re.search(patterns, name):
                yield Issue((*loc, name), "unknown question")
    elif error.validator == "oneOf":
        choices = ", ".join(choice["const"] for choice in cast("list[Schema]", error.validator_value))
        yield Issue(loc, f"expected one of {choices}")
    else:
        yield Issue(loc, _EXPECTED[str(error.validator)].format(error.validator_value))
