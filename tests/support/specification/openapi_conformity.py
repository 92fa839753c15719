"""Checks that responses match the OpenAPI document."""

import json
import re
from typing import Any, TypeAlias

import jsonschema_rs
from jsonschema import Draft202012Validator, FormatChecker

from faregate_http.app import OPERATIONS
from faregate_http.openapi import openapi_document

Json: TypeAlias = dict[str, Any]

DOCUMENT: Json = json.loads(openapi_document(OPERATIONS))

_FORMATS = FormatChecker(["date", "uuid", "date-time"])


def validator(schema: Json, document: Json = DOCUMENT) -> Draft202012Validator:
    """Return a validator of *schema*, whose references point into the document."""
    return Draft202012Validator({**schema, "components": document["components"]}, format_checker=_FORMATS)


def closed(document: Json) -> Json:
    """Return a copy of *document* in which responses must not have additional fields.

    A problem must have one of the codes that its operation lists.
    """
    copied: Json = json.loads(json.dumps(document))
    for operation in (each for methods in copied["paths"].values() for each in methods.values()):
        for status, response in operation["responses"].items():
            if "x-problem-codes" in response:
                known = {"status": {"enum": [int(status)]}, "code": {"enum": response["x-problem-codes"]}}
                response["content"]["application/problem+json"]["schema"]["properties"] = known
    for schema in copied["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return copied


CLOSED = closed(DOCUMENT)


def component(name: str) -> Draft202012Validator:
    """Return a validator of one schema of the document."""
    return validator({"$ref": f"#/components/schemas/{name}"})


class Conformity:
    """A response hook that refuses responses other than those declared for operation and status."""

    def __init__(self) -> None:
        self._paths = {path: re.compile(re.sub(r"{\w+}", "[^/]+", path)) for path in DOCUMENT["paths"]}
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def __call__(self, response: Any) -> None:
        """Raise AssertionError unless *response* is declared."""
        operation = self._operation(response)
        if operation is None:
            return
        status = str(response.status_code)
        assert status in operation["responses"], f"{operation['operationId']} does not declare {status}"
        content = operation["responses"][status].get("content")
        response.read()
        if content is None:
            assert response.content == b""
            return
        [(media_type, declared)] = content.items()
        assert response.headers["content-type"] == media_type
        if media_type == "application/problem+json":
            assert response.headers["cache-control"] == "no-store"
        if response.request.method != "HEAD":
            self._check(declared["schema"], response)

    def _operation(self, response: Any) -> Json | None:
        """Return the requested operation; None if it is unknown."""
        method = response.request.method.replace("HEAD", "GET").lower()
        for path, pattern in self._paths.items():
            if pattern.fullmatch(response.request.url.path):
                operation: Json | None = CLOSED["paths"][path].get(method)
                return operation
        return None

    def _check(self, schema: Json, response: Any) -> None:
        """Check a response against its schema, including the code of a problem."""
        key = str(schema)
        if key not in self._validators:
            self._validators[key] = jsonschema_rs.Draft202012Validator(
                {**schema, "components": CLOSED["components"]}, validate_formats=True
            )
        known = self._validators[key]
        errors = [f"{error.instance_path}: {error.message}" for error in known.iter_errors(response.json())]
        assert errors == [], f"{response.request.method} {response.request.url.path}"


def resolved(schema: Json) -> Json:
    """Return *schema* with its reference resolved."""
    while "$ref" in schema:
        found: Any = DOCUMENT
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema
