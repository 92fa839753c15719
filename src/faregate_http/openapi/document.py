"""The OpenAPI 3.1 document, generated from the operations and their models. Decisions §15."""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from faregate_http.admission.decisions import step_of
from faregate_http.openapi.components import described, plain_schema, public_name, reference, schemas_of
from faregate_http.openapi.examples import (
    examples_of,
    problem_examples,
    problem_references,
    property_examples,
    recorded_values,
)
from faregate_http.openapi.interface import INTERFACE, Json
from faregate_http.operations import Operation
from faregate_http.protocol.problems import PROBLEM_TEXTS, title_of
from faregate_http.protocol.requests import MOST_VALUES

_HEADERS: Json = INTERFACE["response_headers"]

MEANINGS: Mapping[str, str] = {code: texts["en"].detail for code, texts in PROBLEM_TEXTS.items()}
"""Meaning of each code, in the order of ``problem_texts.yaml``."""


def openapi_document(operations: Sequence[Operation]) -> bytes:
    """Return the OpenAPI document of *operations* as JSON."""
    paths: dict[str, Json] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    fixed: Json = INTERFACE["document"]
    generated = {"schemas": _schemas(operations), "examples": problem_examples()}
    document = {**fixed, "paths": paths, "components": {**generated, **fixed["components"]}}
    return msgspec.json.encode(document)


def _schemas(operations: Sequence[Operation]) -> Json:
    schemas = schemas_of(operations)
    return described(schemas, property_examples(recorded_values(operations), schemas))


def _operation(operation: Operation) -> Json:
    written: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": INTERFACE["operations"][operation.name]["description"],
        "tags": [operation.path.split("/")[2]],
        "parameters": [*_parameters(operation)],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        content = _content(operation.body.__name__, examples_of(operation.name, "body"))
        written["requestBody"] = {"required": True, "content": content}
    if _reads_token(operation):
        written["security"] = [{"bearer": []}] if operation.needs_account else [{}, {"bearer": []}]
    if operation.is_extension:
        written["x-extension"] = True
        written["description"] += "\n\nThis operation is an extension of the specification."
    return written


def _parameters(operation: Operation) -> Iterable[Json]:
    for name in re.findall(r"{(\w+)}", operation.path):
        yield {"name": name, "in": "path", "required": True, **INTERFACE["path_parameters"][name]}
    for parameter in operation.query:
        most = {"maxItems": MOST_VALUES} if parameter.is_repeatable else {}
        yield {
            "name": parameter.name,
            "in": "query",
            "required": parameter.is_required,
            "description": parameter.description,
            "schema": plain_schema({**parameter.schema, **most}),
        }
    for name in _header_parameters(operation):
        yield {"$ref": f"#/components/parameters/{name}"}


def _header_parameters(operation: Operation) -> Iterable[str]:
    if operation.has_channel:
        yield from ("acceptLanguage", "salesChannel", "channelKey")
    if operation.is_of_order:
        yield "orderSecret"
    yield "apiVersion"
    if operation.is_keyed:
        yield "idempotencyKey"
    if operation.has_etag:
        yield "ifNoneMatch" if operation.method == "GET" else "ifMatch"


def _responses(operation: Operation) -> Json:
    is_conditional = operation.has_etag and operation.method == "GET"
    refusals = _problem_codes(operation).items()
    not_modified = {"description": "Not modified.", "headers": _headers("etag", "content-language")}
    return {
        "200": _success(operation),
        **({"304": not_modified} if is_conditional else {}),
        **{str(status): _refusal(status, codes) for status, codes in refusals},
    }


def _success(operation: Operation) -> Json:
    written: Json = {
        "description": "Done.",
        "headers": _answer_headers(operation),
        "content": _content(public_name(operation.answer.__name__), examples_of(operation.name, "answer")),
    }
    groups = INTERFACE["operations"][operation.name].get("links", [])
    links = {name: {"$ref": f"#/components/links/{name}"} for names in groups for name in names}
    return {**written, "links": links} if links else written


def _answer_headers(operation: Operation) -> Json:
    names = [
        *(["etag"] if operation.has_etag else []),
        *(["content-language"] if _has_words(operation) else []),
        *(["idempotency-replayed"] if operation.is_keyed else []),
    ]
    own = {
        name: {"schema": {"type": "string"}, "description": text}
        for name, text in operation.answer_headers.items()
    }
    return {**_headers(*names), **own}


def _has_words(operation: Operation) -> bool:
    return operation.has_channel and operation.name != "getOrderNotices"


def _refusal(status: int, codes: Sequence[str]) -> Json:
    listed = "\n".join(f"- `{code}`: {MEANINGS[code]}" for code in codes)
    return {
        "description": f"{title_of(status)}.\n\n{listed}",
        "headers": {**_headers(), **_HEADERS["by_status"].get(status, {})},
        "content": {
            "application/problem+json": {"schema": reference("Problem"), **problem_references(status, codes)},
        },
        "x-problem-codes": list(codes),
    }


def _headers(*names: str) -> Json:
    """Return the descriptions of the headers that every response has and of those in *names*."""
    return {**_HEADERS["always"], **{name: _HEADERS[name] for name in names}}


def _content(name: str, examples: Json) -> Json:
    return {"application/json": {"schema": reference(name), **examples}}


def _reads_token(operation: Operation) -> bool:
    names_checkout = any(parameter.name == "checkoutId" for parameter in operation.query)
    return operation.needs_account or operation.takes_token or operation.is_of_order or names_checkout


def _problem_codes(operation: Operation) -> dict[int, tuple[str, ...]]:
    general = INTERFACE["general_problems"]
    tables = [general[trait] for trait in _traits(operation)]
    tables += INTERFACE["operations"][operation.name].get("problems", [])
    found: dict[int, set[str]] = {}
    for table in tables:
        for status, codes in table.items():
            found.setdefault(status, set()).update(codes)
    order = list(MEANINGS)
    return {status: tuple(sorted(found[status], key=order.index)) for status in sorted(found)}


def _traits(operation: Operation) -> list[str]:
    """Return the names of *operation*'s traits, under which ``interface.yaml`` lists general problems."""
    traits = {
        "always": True,
        "that_waits_its_turn": step_of(operation.method, operation.path) is not None,
        "on_a_channel": operation.has_channel,
        "with_a_channel_key": operation.has_channel and operation.asks_key,
        "with_a_body": operation.body is not None,
        "with_an_idempotency_key": operation.is_keyed and bool(operation.body or operation.query),
        "with_a_token": _reads_token(operation),
        "with_an_account": operation.needs_account,
    }
    return [trait for trait, is_given in traits.items() if is_given]
