"""The OpenAPI 3.1 document, made from the operations and the models they read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from faregate_http.openapi.components import public_name, reference, schemas_of
from faregate_http.openapi.examples import (
    answer_examples,
    body_examples,
    problem_examples,
    problem_references,
)
from faregate_http.openapi.links import LINKS, links_of
from faregate_http.openapi.parameters import HEADERS, parameters_of
from faregate_http.openapi.problem_types import MEANINGS, problem_codes, reads_token
from faregate_http.openapi.texts import ABOUT, DESCRIPTIONS, TAGS
from faregate_http.protocol.problems import title_of
from faregate_http.protocol.requests import API_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate_http.operations import Operation

_Json: TypeAlias = dict[str, Any]

_TEXT: _Json = {"type": "string"}
_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "JWT",
    "description": "The access token that authenticate answers in a header, or an ID token of the identity"
    " provider for an account that has authenticated before.",
}
_VERSION = {
    "description": "The version of the interface.",
    "required": True,
    "schema": {"const": API_VERSION},
}
_REQUEST_ID = {"description": "Names the request in the log.", "required": True, "schema": _TEXT}
_ALWAYS = {"api-version": _VERSION, "x-request-id": _REQUEST_ID}
_ETAG = {"description": "Names this answer.", "required": True, "schema": _TEXT}
_LANGUAGE = {"description": "The language of the answer.", "required": True, "schema": _TEXT}
_REPLAYED = {
    "description": "The answer was kept for the Idempotency-Key.",
    "schema": {"const": "true"},
}
_SECONDS = {"type": "string", "pattern": "^[0-9]+$"}
_ALLOW = {"description": "The methods of the resource.", "required": True, "schema": _TEXT}
_CHALLENGE = {"description": "How to say who asks.", "required": True, "schema": {"const": "Bearer"}}
_WAIT = {"description": "After so many seconds it may be tried again.", "schema": _SECONDS}
_ACCEPT = {"description": "What a body may be.", "required": True, "schema": {"const": "application/json"}}
# What goes with a status, whatever the operation.
_REFUSAL_HEADERS: dict[int, _Json] = {
    401: {"www-authenticate": _CHALLENGE},
    405: {"allow": _ALLOW},
    409: {"retry-after": _WAIT},
    415: {"accept": _ACCEPT},
    429: {"retry-after": {**_WAIT, "required": True}},
    503: {"retry-after": _WAIT},
}


def openapi_document(operations: Sequence[Operation]) -> bytes:
    """The document as JSON."""
    paths: dict[str, _Json] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "faregate",
            "version": API_VERSION,
            "summary": "Prices and bookings for ticketing, exact to the last cent.",
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        # Beside the document, wherever that is: a service may be mounted below a path.
        "servers": [{"url": ".", "description": "The service that gave this document."}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas_of(operations),
            "parameters": HEADERS,
            "examples": problem_examples(),
            "links": LINKS,
            "securitySchemes": {"bearer": _BEARER},
        },
    }
    return msgspec.json.encode(document)


def _operation(operation: Operation) -> _Json:
    described: _Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": DESCRIPTIONS[operation.name],
        "tags": [operation.path.split("/")[2]],
        "parameters": [*parameters_of(operation)],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        content = _content(operation.body.__name__, body_examples(operation.name))
        described["requestBody"] = {"required": True, "content": content}
    if reads_token(operation):
        described["security"] = [{"bearer": []}] if operation.needs_account else [{}, {"bearer": []}]
    if operation.is_extension:
        described["x-extension"] = True
        described["description"] += "\n\nAn extension: not part of the specification."
    return described


def _responses(operation: Operation) -> _Json:
    is_conditional = operation.has_revisions and operation.method == "GET"
    refusals = problem_codes(operation).items()
    return {
        "200": _success(operation),
        **({"304": _not_modified()} if is_conditional else {}),
        **{str(status): _refusal(status, codes) for status, codes in refusals},
    }


def _success(operation: Operation) -> _Json:
    described: _Json = {
        "description": "Done.",
        "headers": _answer_headers(operation),
        "content": _content(public_name(operation.answer.__name__), answer_examples(operation.name)),
    }
    links = links_of(operation.name)
    return {**described, "links": links} if links else described


def _answer_headers(operation: Operation) -> _Json:
    return {
        **_ALWAYS,
        **({"etag": _ETAG} if operation.has_revisions else {}),
        **({"content-language": _LANGUAGE} if _has_words(operation) else {}),
        **({"idempotency-replayed": _REPLAYED} if operation.is_keyed else {}),
        **{name: {"schema": _TEXT, "description": text} for name, text in operation.answer_headers.items()},
    }


def _has_words(operation: Operation) -> bool:
    """Whether what it answers is another in another language."""
    return operation.has_channel and operation.name not in {"getPaymentStatus", "getOrderNotices"}


def _not_modified() -> _Json:
    return {
        "description": "Not modified.",
        "headers": {**_ALWAYS, "etag": _ETAG, "content-language": _LANGUAGE},
    }


def _refusal(status: int, codes: Sequence[str]) -> _Json:
    """A refusal with that status; ``code`` is one of *codes*."""
    listed = "\n".join(f"- `{code}`: {MEANINGS[code]}" for code in codes)
    known = {"status": {"const": status}, "code": {"enum": list(codes)}}
    schema = {**reference("Problem"), "properties": known}
    return {
        "description": f"{title_of(status)}.\n\n{listed}",
        "headers": {**_ALWAYS, **_REFUSAL_HEADERS.get(status, {})},
        "content": {
            "application/problem+json": {"schema": schema, **problem_references(status, codes)},
        },
    }


def _content(name: str, examples: _Json) -> _Json:
    return {"application/json": {"schema": reference(name), **examples}}
