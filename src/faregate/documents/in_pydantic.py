"""Public classes as field types of pydantic models, in the written form of documents. Decisions §19.

The forms in ``documents`` read and write the values; the pydantic schema only describes them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic_core import PydanticCustomError, ValidationError, core_schema

from faregate.documents.forms import Form, Many, Optional, Row, Table
from faregate.documents.objects import TYPE, Boxed, Object, OneOf, form_of
from faregate.errors import InvalidDocument

Schema: TypeAlias = Any
"""A pydantic core schema."""


def core_schema_of(kind: type) -> Schema:
    """Return the core schema of a public class, for ``__get_pydantic_core_schema__``."""
    form = form_of(kind)

    def read(data: object, _: object) -> object:
        if isinstance(data, kind):
            return data
        try:
            return form.read(data)
        except InvalidDocument as error:
            raise _in_pydantic(error, kind, data) from None

    read.__name__ = kind.__name__  # shown in pydantic's errors about unions
    definitions: dict[str, Schema] = {}
    described = _described(form, definitions)
    written = core_schema.plain_serializer_function_ser_schema(form.write)
    field = core_schema.no_info_wrap_validator_function(read, described, serialization=written)
    return core_schema.definitions_schema(field, [*definitions.values()])


def _in_pydantic(error: InvalidDocument, kind: type, data: object) -> ValidationError:
    """Return *error* as a pydantic error, with the location of each issue."""
    details: list[Any] = [
        {
            "type": PydanticCustomError("invalid_document", "{message}", {"message": issue.message}),
            "loc": issue.loc,
            "input": data,
        }
        for issue in error.issues
    ]
    return ValidationError.from_exception_data(kind.__name__, details)


def _described(form: Form, definitions: dict[str, Schema]) -> Schema:
    match form:
        case Object():
            return _reference(form, definitions)
        case Optional(inner):
            return core_schema.nullable_schema(_described(inner, definitions))
        case Many(inner, holder):
            list_of = core_schema.set_schema if holder is frozenset else core_schema.list_schema
            return list_of(_described(inner, definitions))
        case Row(inner):
            return core_schema.tuple_schema([_described(each, definitions) for each in inner])
        case Table(pairs):
            return _described(pairs, definitions)
        case OneOf(members):
            return core_schema.union_schema([_described(each, definitions) for _, each in members])
        case Boxed(tag, inner):
            return _typed_dict(tag, {"value": (_described(inner, definitions), True)})
        case _:
            plain = form.schema(lambda _: None)
            return core_schema.any_schema(metadata={"pydantic_js_functions": [lambda *_: plain]})


def _reference(form: Object, definitions: dict[str, Schema]) -> Schema:
    name = f"{form.kind.__module__}.{form.kind.__qualname__}"
    if name not in definitions:
        definitions[name] = {}  # a placeholder, as a value may contain others of its class
        each = form.fields.values()
        fields = {field.key: (_described(field.form, definitions), field.is_required) for field in each}
        definitions[name] = _typed_dict(form.tag, fields, ref=name)
    return core_schema.definition_reference_schema(name)


def _typed_dict(tag: str | None, fields: dict[str, tuple[Schema, bool]], *, ref: str | None = None) -> Schema:
    tagged = {} if tag is None else {TYPE: (core_schema.literal_schema([tag]), True)}
    described = {
        key: core_schema.typed_dict_field(schema, required=is_required)
        for key, (schema, is_required) in (tagged | fields).items()
    }
    return core_schema.typed_dict_schema(described, extra_behavior="forbid", ref=ref)
