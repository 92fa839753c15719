"""JSON documents that name their format and its version; invalid documents are refused. Decisions §19.

If the written form of any value in a format changes, the format gets a new version number, and the reader
for the previous version is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import GenericAlias
from typing import Any

from faregate.amount_due.vouchers import Voucher
from faregate.arguments.suggestions import did_you_mean
from faregate.basket.lines import Cart, Line
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.eligibility import Context, check_context
from faregate.discounts.pricing_rules import PricingRules
from faregate.documents.forms import Json, gathered, wrong
from faregate.documents.objects import Object, form_of
from faregate.errors import FaregateError, InvalidDocument, Issue
from faregate.explanations.explanation import Explanation
from faregate.insights.distribution import PriceDistribution
from faregate.refunds.orders import PaidOrder
from faregate.refunds.policy import RefundPolicy
from faregate.refunds.quote import RefundQuote
from faregate.subscriptions.terms import SubscriptionConfiguration, SubscriptionTerms
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.request import PricingRequest

FORMAT = "format"
_PREFIX = "faregate."
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


def _check_request(request: PricingRequest) -> None:
    check_context(request.context)
    Cart.of(request.lines)


@dataclass(frozen=True, slots=True)
class _Format:
    """A document format for values of type ``annotation``; a list is stored under its ``name``."""

    name: str
    number: int
    annotation: Any
    check: Callable[[Any], object] | None = None

    @property
    def text(self) -> str:
        return f"{_PREFIX}{self.name}/{self.number}"

    @property
    def is_list(self) -> bool:
        return not isinstance(form_of(self.annotation), Object)

    def write(self, value: Any) -> dict[str, Json]:
        form = form_of(self.annotation)
        content = (
            {self.name: gathered([(self.name, form.write, value)])[0]} if self.is_list else form.write(value)
        )
        return {FORMAT: self.text, **content}

    def read(self, data: dict[str, Json]) -> Any:
        form = form_of(self.annotation)
        content = {key: value for key, value in data.items() if key != FORMAT}
        if not self.is_list:
            value = form.read(content)
        elif content.keys() == {self.name}:
            value = gathered([(self.name, form.read, content[self.name])])[0]
        else:
            raise InvalidDocument(f"expected the keys {FORMAT!r} and {self.name!r}, got {[*data]}")
        try:
            if self.check is not None:
                self.check(value)
        except FaregateError as error:
            raise InvalidDocument(str(error)) from error
        return value


_FORMATS = (
    _Format("lines", 1, tuple[Line, ...], Cart.of),
    _Format("rules", 1, PricingRules),
    _Format("policy", 1, TotalsPolicy),
    _Format("context", 1, Context, check_context),
    _Format("vouchers", 1, tuple[Voucher, ...]),
    _Format("pricing_request", 1, PricingRequest, _check_request),
    _Format("totals", 1, CheckoutTotals),
    _Format("explanation", 1, Explanation),
    _Format("subscription_terms", 1, SubscriptionTerms),
    _Format("subscription", 1, SubscriptionConfiguration),
    _Format("paid_order", 1, PaidOrder),
    _Format("refund_policy", 1, RefundPolicy),
    _Format("refund_quote", 1, RefundQuote),
    _Format("price_distribution", 1, PriceDistribution),
)
_BY_TEXT = {each.text: each for each in _FORMATS}
FORMATS = tuple(_BY_TEXT)
"""The names of all formats that this version of faregate reads."""


def dump(value: object, *, format: str | None = None) -> dict[str, Json]:  # noqa: A002
    """Return *value* as a document of plain JSON types, ready for ``json.dumps``.

    *value* can be lines, rules, a policy, a context, vouchers, a pricing request, totals, an explanation, the
    terms or configuration of a subscription, a paid order, a policy or quote of refunds, or a price
    distribution. Fields that have their default value are left out. *format* is needed only for an empty
    list.

    >>> from faregate import TotalsPolicy
    >>> dump(TotalsPolicy(cash_increment=5))
    {'format': 'faregate.policy/1', 'cashIncrement': 5}

    Raises:
        InvalidDocument: *value* or a value in it cannot be stored exactly; the error lists every issue.
    """
    rows: Any = tuple(value) if isinstance(value, list) or type(value) is tuple else None
    kept = value if rows is None else rows
    if format is not None:
        return _format_of(format).write(kept)
    if rows == ():
        raise InvalidDocument("the format of an empty list is unclear: pass it as the argument format")
    kind: Any = type(value) if rows is None else GenericAlias(tuple, (type(rows[0]), ...))
    for each in _FORMATS:
        if each.annotation == kind:
            return each.write(kept)
    raise wrong(f"a value of one of the formats {', '.join(FORMATS)}", value)


def load(document: Json) -> Any:
    """Return the value stored in *document*, a document written by ``dump``.

    >>> load({"format": "faregate.policy/1", "cashIncrement": 5}).cash_increment
    5

    Raises:
        InvalidDocument: *document* does not exactly match its format; the error lists every issue.
    """
    if type(document) is not dict:
        advice = ", as json.loads returns it" if isinstance(document, str | bytes) else ""
        raise wrong(f"a document, which is a JSON object{advice}", document)
    return _read(_format_of(document.get(FORMAT)).read, document)


def schema(format: str) -> dict[str, Json]:  # noqa: A002
    """Return the JSON Schema (2020-12) for documents of the given *format*.

    >>> schema("faregate.lines/1")["required"]
    ['format', 'lines']

    Raises:
        InvalidDocument: this version of faregate does not read *format*.
    """
    found = _format_of(format)
    definitions: dict[str, Json] = {}

    def refer(form: Object) -> Json:
        name = form.kind.__name__
        if name not in definitions:
            definitions[name] = {}  # a placeholder, as a value may contain others of its class
            definitions[name] = form.definition(refer)
        return {"$ref": f"#/$defs/{name}"}

    form = form_of(found.annotation)
    head: Json = {"title": found.text, "type": "object", "properties": {}, "required": []}
    if isinstance(form, Object):
        head |= form.definition(refer)
    else:
        head |= {"properties": {found.name: form.schema(refer)}, "required": [found.name]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **head,
        "properties": {FORMAT: {"const": found.text}, **head["properties"]},
        "required": [FORMAT, *head["required"]],
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.items())),
    }


def encode(value: object) -> Json:
    """Return *value*, an instance of a public class, as plain JSON without the name of a format.

    >>> from faregate import Absolute
    >>> encode(Absolute(500))
    {'type': 'Absolute', 'amount': 500}

    Raises:
        InvalidDocument: *value* or a value in it cannot be written exactly.
    """
    kind: Any = type(value)
    return form_of(kind).write(value)


def decode(kind: Any, data: Json) -> Any:
    """Return the value that *data* represents; *kind* is a public class or an annotation, such as a union.

    >>> from faregate import Absolute, PerUnit
    >>> decode(PerUnit | Absolute, {"type": "Absolute", "amount": 500})
    Absolute(amount=500, level=<DiscountLevel.CART: 'cart'>)

    Raises:
        InvalidDocument: *data* does not exactly represent a value of *kind*; the error lists every issue.
        TypeError: *kind* has no written form.
    """
    return _read(form_of(kind).read, data)


def _read(read: Callable[[Any], Any], data: Json) -> Any:
    try:
        return read(data)
    except RecursionError:
        raise InvalidDocument("the document is nested too deeply") from None


def _format_of(text: object) -> _Format:
    if type(text) is str and text in _BY_TEXT:
        return _BY_TEXT[text]
    name, _, number = text.partition("/") if type(text) is str else ("", "", "")
    numbers = [each.number for each in _FORMATS if f"{_PREFIX}{each.name}" == name]
    if numbers and _NUMBER.fullmatch(number) and int(number) > max(numbers):
        newest = f"{name}/{max(numbers)}"
        message = f"{text!r} is newer than this version of faregate, which reads up to {newest!r}"
    elif text is None:
        message = f"missing key, expected one of {', '.join(FORMATS)}"
    else:
        hint = did_you_mean(str(text), FORMATS)
        message = f"unknown format {text!r}" + (hint or f", expected one of {', '.join(FORMATS)}")
    raise InvalidDocument(Issue((FORMAT,), message))
