"""The JSON Schema of each format describes its documents."""

from types import GenericAlias
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from faregate.documents import FORMATS, dump
from support.documents.drawn_values import values_of
from support.documents.stored_values import VALUES, golden
from support.effort import share_of


@pytest.mark.parametrize("text", FORMATS)
def test_the_golden_schema_describes_the_golden_document(text: str) -> None:
    found = golden(text, "schema.json")

    Draft202012Validator.check_schema(found)
    Draft202012Validator(found).validate(golden(text))


@pytest.mark.parametrize("text", FORMATS)
@settings(max_examples=share_of(40))
@given(data=st.data())
def test_a_schema_accepts_every_document_of_its_format(text: str, data: st.DataObject) -> None:
    value = VALUES[text]
    kind: Any = GenericAlias(tuple, (type(value[0]), ...)) if type(value) is tuple else type(value)
    drawn = data.draw(values_of(kind))

    Draft202012Validator(golden(text, "schema.json")).validate(dump(drawn, format=text))
