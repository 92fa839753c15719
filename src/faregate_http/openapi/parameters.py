"""Request parameters in the path, query and headers, each with an example."""

import re
from collections.abc import Iterable

from faregate_http.openapi.dialect import plain_schema
from faregate_http.openapi.interface import INTERFACE, Json
from faregate_http.operations import Operation
from faregate_http.protocol.requests import MOST_VALUES

_PATH: dict[str, Json] = INTERFACE["path_parameters"]


def parameters_of(operation: Operation) -> Iterable[Json]:
    """Yield the OpenAPI description of each parameter of *operation*."""
    for name in re.findall(r"{(\w+)}", operation.path):
        yield {"name": name, "in": "path", "required": True, **_PATH[name]}
    for parameter in operation.query:
        most = {"maxItems": MOST_VALUES} if parameter.is_repeatable else {}
        yield {
            "name": parameter.name,
            "in": "query",
            "required": parameter.is_required,
            "description": parameter.description,
            "schema": plain_schema({**parameter.schema, **most}),
        }
    for name in _headers_of(operation):
        yield {"$ref": f"#/components/parameters/{name}"}


def _headers_of(operation: Operation) -> Iterable[str]:
    if operation.has_channel:
        yield from ("acceptLanguage", "salesChannel", "channelKey")
    if operation.is_of_order:
        yield "orderSecret"
    yield "apiVersion"
    if operation.is_keyed:
        yield "idempotencyKey"
    if operation.has_etag:
        yield "ifNoneMatch" if operation.method == "GET" else "ifMatch"
