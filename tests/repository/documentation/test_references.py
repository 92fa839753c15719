"""The reference contains all operations, problems, values, commands and signatures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, Protocol

import click
import pytest
from command_reference import command_line
from http_reference import http_operations, http_values
from offline import fetched
from signatures import signature

from faregate_cli.app import app
from faregate_http.app import OPERATIONS
from faregate_http.openapi import openapi_document

DOCUMENT: dict[str, Any] = json.loads(openapi_document(OPERATIONS))
ALL_OPERATIONS = [
    (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
]


def section(text: str, heading: str) -> str:
    """Return the text below a heading, up to the next heading."""
    return f"\n{text}".partition(f"\n{heading}\n")[2].partition("\n##")[0]


@pytest.mark.parametrize(("method", "path", "operation"), ALL_OPERATIONS)
def test_an_operation_is_shown_with_its_parameters_and_responses(
    method: str, path: str, operation: dict[str, Any]
) -> None:
    shown = section(http_operations(DOCUMENT), f"### {operation['operationId']}")

    assert f"{method} {path}" in shown
    assert operation["summary"] in shown
    assert all(f"`{each['name']}`" in shown for each in operation["parameters"] if "name" in each)
    for status, answer in operation["responses"].items():
        assert f"\n| {status} | " in shown
        for content in answer.get("content", {}).values():
            codes = content["schema"].get("properties", {}).get("code", {}).get("enum", [])
            assert all(f"`{code}`" in shown for code in codes)
    assert ("This operation is an extension of the specification." in shown) is ("x-extension" in operation)


def test_each_value_has_its_fields_and_each_problem_its_meaning() -> None:
    shown = http_values(DOCUMENT)

    for name, schema in DOCUMENT["components"]["schemas"].items():
        below = section(shown, f"### {name}")
        assert below.strip()
        assert all(f"| `{each}`" in below for each in schema.get("properties", {}))
    for example in DOCUMENT["components"]["examples"].values():
        assert f"`{example['value']['code']}`" in section(shown, "## Problems")


TYPES = [
    ({"$ref": "#/components/schemas/ItemStatus"}, "[ItemStatus](http_values.md#itemstatus)"),
    ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, "integer, 1 or more or null"),
    ({"enum": ["a", 1, None]}, "`a`, `1`, `null`"),
    (
        {"type": "array", "items": {"type": "string", "format": "date"}, "maxItems": 9},
        "list of date, up to 9",
    ),
    ({"type": "string", "minLength": 1, "maxLength": 255}, "text, 1 to 255 characters"),
    ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
]


@pytest.mark.parametrize(("schema", "words"), TYPES)
def test_a_type_is_described_in_words(schema: dict[str, Any], words: str) -> None:
    document = {"paths": {}, "components": {"schemas": {"Some": schema}, "examples": {}}}

    assert section(http_values(document), "### Some").strip() == words


def test_each_command_is_shown_with_its_options() -> None:
    shown = command_line()

    for name in app.list_commands(click.Context(app)):
        for parameter in app.get_command(click.Context(app), name).params:
            is_argument = isinstance(parameter, click.Argument)
            given = parameter.human_readable_name if is_argument else parameter.opts[0]
            assert f"| `{given}".replace("|", "\\|")[1:] in section(shown, f"## faregate {name}")
    assert "## faregate catalogue check" in shown


class Kind(Enum):
    ONE = 1


class Waits(Protocol):
    def wait(self, *, most: int = 3) -> None: ...


class Row(NamedTuple):
    kind: Kind
    units: int = 0


_NOTHING = Row(Kind.ONE)


@dataclass(frozen=True)
class Box:
    rows: list[Row] = field(default_factory=list)
    row: Row = _NOTHING
    label: str = field(default="none", repr=False)


def priced(first: Row, *, then: Row = _NOTHING, **more: int) -> list[Row]:
    """An example function; only its signature matters."""
    raise NotImplementedError


SIGNATURES = [
    ("function", priced, "(first: Row, *, then: Row = Row(Kind.ONE), **more: int)", "list[Row]"),
    ("class", Row, "(kind: Kind, units: int = 0)", ""),
    ("class", Box, "(rows: list[Row] = list(), row: Row = Row(Kind.ONE), label: str = 'none')", ""),
    ("class", Kind, "", ""),
    ("class", Waits, "", ""),
    ("method", Waits.wait, "(*, most: int = 3)", "None"),
]


@pytest.mark.parametrize(("what", "thing", "arguments", "returned"), SIGNATURES)
def test_a_signature_is_shown_as_written(what: str, thing: object, arguments: str, returned: str) -> None:
    assert signature(None, what, "", thing, None, "()", "") == (arguments, returned)


LOADS = [
    ('<script src="https://cdn.example/a.js">', True),
    ('<link rel="stylesheet" href="//fonts.example/a.css">', True),
    ("body { background: url('https://a.example/b.png') }", True),
    ('<a href="https://faregate.example">there</a>', False),
    ('<img alt="" src="../_images/growth.svg">', False),
]


@pytest.mark.parametrize(("text", "loads"), LOADS)
def test_external_resources_are_detected(text: str, loads: bool) -> None:
    assert bool(fetched(text)) is loads
