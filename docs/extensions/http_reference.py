"""The HTTP reference as Markdown, generated from the OpenAPI document of the service.

The Sphinx extensions for this purpose support OpenAPI 3.0; this document is 3.1. Only the features it uses
are supported here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["http_operations", "http_values"]

_Json: TypeAlias = dict[str, Any]

_VALUES = "http_values.md"


# ---------------------------------------------------------------- operations


def http_operations(document: _Json) -> str:
    """Return all operations in the groups and order of the document."""
    parts = [document["info"]["description"], _headers(document)]
    for tag in document["tags"]:
        parts += [f"## {tag['name'].capitalize()}", tag["description"]]
        parts += [
            _operation(document, *found) for found in _operations(document) if tag["name"] in found[2]["tags"]
        ]
    return "\n\n".join(parts) + "\n"


def _operations(document: _Json) -> Iterator[tuple[str, str, _Json]]:
    for path, methods in document["paths"].items():
        yield from ((method.upper(), path, operation) for method, operation in methods.items())


def _headers(document: _Json) -> str:
    """Return the table of headers that operations share."""
    rows = [_parameter(each) for each in document["components"]["parameters"].values()]
    return f"## Headers\n\n{_table(['header', 'value', ''], rows)}"


def _operation(document: _Json, method: str, path: str, operation: _Json) -> str:
    parts = [
        f"### {operation['operationId']}",
        f"```text\n{method} {path}\n```",
        f"**{operation['summary']}** {operation.get('description', '')}",
        _token(operation),
        *_parameters(document, operation),
        *_body(document, operation),
        *_answers(operation),
    ]
    return "\n\n".join(filter(None, parts))


def _token(operation: _Json) -> str:
    match operation.get("security"):
        case None:
            return ""
        case [{"bearer": _}]:
            return "Requires an account token."
        case _:
            return "Accepts an account token."


def _parameters(document: _Json, operation: _Json) -> Iterator[str]:
    own = [each for each in operation["parameters"] if "$ref" not in each]
    shared = [_target(each["$ref"]) for each in operation["parameters"] if "$ref" in each]
    if own:
        yield _table(["parameter", "value", ""], [_parameter(each) for each in own])
    if shared:
        known = document["components"]["parameters"]
        yield f"[Headers](#headers): {', '.join(_code(known[name]['name']) for name in shared)}"


def _parameter(parameter: _Json) -> list[str]:
    where = "" if parameter["in"] in {"header", "path"} else f", in the {parameter['in']}"
    must = ", required" if parameter["required"] else ""
    return [
        f"`{parameter['name']}`",
        f"{_type(parameter['schema'])}{where}{must}",
        parameter.get("description", ""),
    ]


def _body(document: _Json, operation: _Json) -> Iterator[str]:
    if "requestBody" not in operation:
        return
    content = operation["requestBody"]["content"]["application/json"]
    schema = document["components"]["schemas"][_target(content["schema"]["$ref"])]
    yield f"**Body**: {schema.get('description', '')}"
    yield _fields(schema)
    yield from _examples("A body", content)


def _answers(operation: _Json) -> Iterator[str]:
    rows = [_answer(status, answer) for status, answer in operation["responses"].items()]
    yield _table(["status", "answer"], rows)
    for answer in operation["responses"].values():
        yield from _examples("An answer", answer.get("content", {}).get("application/json", {}))


def _answer(status: str, answer: _Json) -> list[str]:
    match answer.get("content", {}):
        case {"application/problem+json": _}:
            codes = answer["x-problem-codes"]
            return [status, ", ".join(f"[`{code}`]({_VALUES}#problems)" for code in codes)]
        case {"application/json": content}:
            return [status, _type(content["schema"])]
        case _:
            return [status, answer["description"].splitlines()[0]]


def _examples(title: str, content: _Json) -> Iterator[str]:
    for name, example in content.get("examples", {}).items():
        if "value" in example:
            which = "" if name == "demo" else f": {name}"
            yield _folded(f"{title}{which}", example["value"])


# ---------------------------------------------------------------- values and problems


def http_values(document: _Json) -> str:
    """Return the problems, then the schemas by name."""
    schemas = document["components"]["schemas"].items()
    parts = ["## Problems", _problems(document), "## Values", *(_schema(*each) for each in sorted(schemas))]
    return "\n\n".join(parts) + "\n"


def _problems(document: _Json) -> str:
    """Return each problem with its meanings, its operations and, if available, an example."""
    meanings = dict(_meanings(document))
    examples = document["components"]["examples"].items()
    table = _table(
        ["status", "code", "meaning"], [[*problem, said] for problem, said in sorted(meanings.items())]
    )
    return "\n\n".join([table, *(_folded(name, example["value"]) for name, example in examples)])


def _meanings(document: _Json) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the meanings of each code in the responses of the operations: lines of ``- `code`: meaning``."""
    for _method, _path, operation in _operations(document):
        for status, answer in operation["responses"].items():
            for line in answer["description"].splitlines():
                if line.startswith("- `"):
                    code, _, meaning = line.removeprefix("- ").partition(": ")
                    yield (status, code), meaning


def _schema(name: str, schema: _Json) -> str:
    said = schema.get("description", "")
    shown = _fields(schema) if "properties" in schema else _type(schema)
    return "\n\n".join(filter(None, [f"### {name}", said, shown]))


def _fields(schema: _Json) -> str:
    required = schema.get("required", [])
    rows = [
        [
            f"`{name}`" if name in required else f"`{name}`, optional",
            _type(field),
            field.get("description", ""),
        ]
        for name, field in schema["properties"].items()
    ]
    return _table(["field", "value", ""], rows)


# ---------------------------------------------------------------- types


def _type(schema: _Json) -> str:
    """Return a description of the type and its bounds."""
    match schema:
        case {"$ref": str(target)}:
            return f"[{_target(target)}]({_VALUES}#{_target(target).lower()})"
        case {"anyOf": list(kinds)} | {"oneOf": list(kinds)}:
            return " or ".join(map(_type, kinds))
        case {"enum": list(values)}:
            return ", ".join(map(_code, values))
        case {"type": "array", "items": items}:
            return f"list of {_type(items)}{_bounds(schema, 'minItems', 'maxItems')}"
        case {"type": "string"}:
            return f"{schema.get('format', 'text')}{_bounds(schema, 'minLength', 'maxLength', ' characters')}"
        case {"type": "integer" | "number" as kind}:
            return f"{kind}{_bounds(schema, 'minimum', 'maximum')}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {_type(values)}"
        case _:
            return str(schema.get("type", "any value"))


def _target(reference: str) -> str:
    return reference.rpartition("/")[2]


def _bounds(schema: _Json, least: str, most: str, unit: str = "") -> str:
    match schema.get(least), schema.get(most):
        case None, None:
            return ""
        case low, None:
            return f", {low}{unit} or more"
        case None, high:
            return f", up to {high}{unit}"
        case low, high if low == high:
            return f", {low}{unit}"
        case low, high:
            return f", {low} to {high}{unit}"


# ---------------------------------------------------------------- Markdown


def _code(value: object) -> str:
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _table(titles: list[str], rows: Iterable[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *([_cell(text) for text in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _folded(title: str, value: object) -> str:
    """Return a collapsed example."""
    shown = json.dumps(value, indent=2, ensure_ascii=False)
    return f"<details><summary>{title}</summary>\n\n```json\n{shown}\n```\n\n</details>"
