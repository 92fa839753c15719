"""The OpenAPI 3.1 document, generated from the operations and their models."""

from collections.abc import Sequence

import msgspec

from faregate_http.openapi.components import public_name, reference, schemas_of
from faregate_http.openapi.examples import examples_of, problem_examples, problem_references, recorded_values
from faregate_http.openapi.interface import INTERFACE, Json
from faregate_http.openapi.parameters import parameters_of
from faregate_http.openapi.problem_codes import MEANINGS, problem_codes, reads_token
from faregate_http.openapi.properties import described
from faregate_http.openapi.recorded import property_examples
from faregate_http.operations import Operation
from faregate_http.protocol.problems import title_of

_HEADERS: Json = INTERFACE["response_headers"]


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
    described: Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": INTERFACE["operations"][operation.name]["description"],
        "tags": [operation.path.split("/")[2]],
        "parameters": [*parameters_of(operation)],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        content = _content(operation.body.__name__, examples_of(operation.name, "body"))
        described["requestBody"] = {"required": True, "content": content}
    if reads_token(operation):
        described["security"] = [{"bearer": []}] if operation.needs_account else [{}, {"bearer": []}]
    if operation.is_extension:
        described["x-extension"] = True
        described["description"] += "\n\nThis operation is an extension of the specification."
    return described


def _responses(operation: Operation) -> Json:
    is_conditional = operation.has_etag and operation.method == "GET"
    refusals = problem_codes(operation).items()
    not_modified = {"description": "Not modified.", "headers": _headers("etag", "content-language")}
    return {
        "200": _success(operation),
        **({"304": not_modified} if is_conditional else {}),
        **{str(status): _refusal(status, codes) for status, codes in refusals},
    }


def _success(operation: Operation) -> Json:
    described: Json = {
        "description": "Done.",
        "headers": _answer_headers(operation),
        "content": _content(public_name(operation.answer.__name__), examples_of(operation.name, "answer")),
    }
    groups = INTERFACE["operations"][operation.name].get("links", [])
    links = {name: {"$ref": f"#/components/links/{name}"} for names in groups for name in names}
    return {**described, "links": links} if links else described


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
    """Return the description of a problem response with *status*, whose ``code`` is one of *codes*."""
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
