"""Validation of documents; errors from pydantic are converted to issues of the file, with hints."""

from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar, get_args
from zoneinfo import available_timezones

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from faregate.arguments.suggestions import did_you_mean
from faregate.discounts.kinds import DiscountType
from faregate.errors import Issue, Loc
from faregate.files.fields.currencies import Currencies
from faregate.files.text.documents import Document
from faregate.files.text.issues import MAX_ISSUES, shown

_Model = TypeVar("_Model", bound=BaseModel)

_WANTED = {
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "frozen_set_type": "a list",
    "int_type": "a whole number",
    "model_attributes_type": "a mapping",
    "model_type": "a mapping",
    "string_type": "text",
    "tuple_type": "a list",
}
_UNION_FIELD = "discount"
_MAPPING_FIELDS = {"metaInformation", "uses"}
_UNION_MEMBERS = {member.value for member in DiscountType}


def validated(model: type[_Model], document: Document, context: Currencies | None = None) -> _Model:
    """Return the data of *document* as an instance of *model*.

    Raises:
        InvalidFile: the document does not fit *model*; lists every issue, including syntax issues.
    """
    try:
        entry = model.model_validate(document.data, context=context)
    except ValidationError as error:
        listed = error.errors(include_url=False)[:MAX_ISSUES]
        issues = (_issue(details, model) for details in listed)
        raise document.refusal(issues, unlisted=error.error_count() - len(listed)) from None
    if document.issues:
        raise document.refusal()
    return entry


def _issue(details: ErrorDetails, model: type[BaseModel]) -> Issue:
    loc = _loc(details["loc"])
    message = _message(details, loc, model)
    is_of_union = details["type"] in {"union_tag_invalid", "union_tag_not_found"}
    return Issue((*loc, "discountType") if is_of_union else loc, message)


def _loc(loc: Loc) -> Loc:
    """Return pydantic's location *loc* without union tags and ``[key]``, which are not in the file."""
    if loc[-1:] == ("[key]",) and not _MAPPING_FIELDS.isdisjoint(loc[-3:-2]):
        loc = loc[:-1]
    return tuple(
        part
        for index, part in enumerate(loc)
        if not (index and loc[index - 1] == _UNION_FIELD and part in _UNION_MEMBERS)
    )


def _message(details: ErrorDetails, loc: Loc, model: type[BaseModel]) -> str:
    context = details.get("ctx", {})
    match details["type"]:
        case "missing" | "union_tag_not_found":
            return "is missing"
        case "extra_forbidden":
            return f"unknown key{did_you_mean(str(loc[-1]), _keys(model, loc[:-1]))}"
        case "value_error":
            return str(context["error"])
        case "time_zone":
            return f"unknown time zone {shown(details['input'])}{did_you_mean(details['input'], _zones())}"
        case "too_long":
            return f"expected at most {context['max_length']} entries, got {context['actual_length']}"
        case "union_tag_invalid":
            return f"expected {_alternatives(context['expected_tags'])}, got {shown(context['tag'])}"
        case kind:
            return f"expected {_wanted(kind, context) or details['msg']}, got {shown(details['input'])}"


def _wanted(kind: str, context: dict[str, Any]) -> str:
    match kind:
        case "enum" | "literal_error":
            return _alternatives(context["expected"])
        case "greater_than_equal":
            return f"at least {context['ge']}"
        case "less_than_equal":
            return f"at most {context['le']}"
        case "string_too_long":
            return f"at most {context['max_length']} characters"
        case _:
            return _WANTED.get(kind, "")


def _alternatives(listed: str) -> str:
    """Return pydantic's list of alternatives, ``'a', 'b' or 'c'``, as ``a, b, c``."""
    return listed.replace("'", "").replace(" or ", ", ")


def _keys(model: type[BaseModel], loc: Loc) -> list[str]:
    """Return the keys that are allowed at the location *loc* in a file described by *model*."""
    models: list[type[BaseModel]] = [model]
    for part in loc:
        if isinstance(part, str):
            models = [inner for outer in models for inner in _models_in(_aliases(outer).get(part))]
    return sorted({key for found in models for key in _aliases(found)})


def _aliases(model: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


@cache  # reading the names takes 10 ms
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
