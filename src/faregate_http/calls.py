"""A request as an operation sees it: headers, query and body, each read strictly. Decisions §15."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote_to_bytes

from pydantic import BaseModel, ValidationError

from faregate.errors import UnknownEntry
from faregate_http.json_input import InvalidJson, read_json
from faregate_http.languages import negotiate
from faregate_http.problems import ErrorView, Problem, pointer_to

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pydantic_core import ErrorDetails
    from starlette.types import Receive, Scope

    from faregate.catalogue import Catalogue, Channel

__all__ = ["API_VERSION", "MOST_BYTES", "MOST_FAULTS", "Call", "ClientGone", "is_uuid", "parsed"]

API_VERSION = "2025-02-18"

MOST_BYTES = 1 << 20
"""Larger bodies are refused."""

MOST_FAULTS = 1000
"""More than these are not listed."""

_Model = TypeVar("_Model", bound=BaseModel)

_SAID_ONCE = frozenset(
    {b"service-channel-uuid", b"api-version", b"idempotency-key", b"content-type", b"content-length"}
)
_LISTS = frozenset({b"accept-language", b"if-match", b"if-none-match", b"content-encoding"})
_OF_INTEREST = _SAID_ONCE | _LISTS

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)
_JSON_TYPE = re.compile(r"application/json\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE | re.ASCII)
_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")


class ClientGone(Exception):
    """The client closed the connection before its request was complete."""


class Call:
    """One request, its headers and query checked; the body is read when it is asked for.

    Raises:
        Problem: 400, with every fault of headers and query; 404, there is no such channel.
    """

    __slots__ = ("_receive", "channel", "headers", "language", "method", "parameters", "path", "query")

    def __init__(
        self, scope: Scope, receive: Receive, *, catalogue: Catalogue, allowed: Collection[str] = ()
    ) -> None:
        faults: list[ErrorView] = []
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.parameters: Mapping[str, str] = scope["path_params"]
        self.headers = _headers(scope["headers"], faults)
        self.query = _query(scope["query_string"], allowed, faults) if scope["query_string"] else {}
        version = self.headers.get(b"api-version")
        if version is not None and version != API_VERSION:
            faults.append(ErrorView(f"the only version is {API_VERSION}", header="api-version"))
        uuid = self.headers.get(b"service-channel-uuid")
        if uuid is None or not is_uuid(uuid):
            wrong = "is missing" if uuid is None else "is not a UUID"
            faults.append(ErrorView(wrong, header="service-channel-uuid"))
        key = self.headers.get(b"idempotency-key")
        if key is not None and not _KEY.fullmatch(key):
            faults.append(ErrorView("expected 1 to 255 visible ASCII characters", header="idempotency-key"))
        if faults or uuid is None:
            raise Problem(400, "invalid-request", "Headers or query are at fault.", errors=faults)
        self.language = negotiate(self.headers.get(b"accept-language"))
        self.channel = _channel(uuid, catalogue)
        self._receive = receive

    async def body(self) -> bytes:
        """The body of a request that must be JSON.

        Raises:
            Problem: 415, it says to be something else; 413, it is too large.
            ClientGone: the client closed the connection.
        """
        kind = self.headers.get(b"content-type")
        if kind is None or not _JSON_TYPE.fullmatch(kind) or b"content-encoding" in self.headers:
            raise Problem(
                415,
                "unsupported-media-type",
                "The body must be application/json, in UTF-8, not encoded.",
                headers=((b"accept", b"application/json"),),
            )
        length = self.headers.get(b"content-length")
        if length is not None and length.isdecimal() and int(length[:20]) > MOST_BYTES:
            raise _too_large()
        message = await self._receive()
        body: bytes = message.get("body", b"")
        while message.get("more_body") and len(body) <= MOST_BYTES:
            message = await self._receive()
            body += message.get("body", b"")
        if message["type"] == "http.disconnect":
            raise ClientGone
        if len(body) > MOST_BYTES:
            raise _too_large()
        return body

    def integers(self, name: str) -> list[int]:
        """The values of a repeatable query parameter that takes whole numbers.

        Raises:
            Problem: 400, one of them is none.
        """
        values = self.query.get(name, [])
        faults = [
            ErrorView(f"expected a whole number, got {value[:40]!r}", parameter=name)
            for value in values
            if not _INTEGER.fullmatch(value)
        ]
        if faults:
            raise Problem(400, "invalid-request", "The query is at fault.", errors=faults)
        return [int(value) for value in values]


def is_uuid(text: str) -> bool:
    """Whether *text* is a UUID as it is usually written.

    >>> is_uuid("7D9E6C1A-0b51-4c58-8a10-3a3f6a1f2b77"), is_uuid("7d9e6c1a0b514c588a103a3f6a1f2b77")
    (True, False)
    """
    return _UUID.fullmatch(text) is not None


def parsed(body: bytes, model: type[_Model]) -> _Model:
    """The JSON of *body* as *model*.

    Raises:
        Problem: 400, it is no JSON; 422, with every fault of its shape.
    """
    try:
        data = read_json(body)
    except InvalidJson as error:
        faults = [ErrorView(fault.reason, pointer=fault.pointer) for fault in error.found]
        raise Problem(400, "invalid-json", "The body cannot be read as JSON.", errors=faults) from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = [_fault(details) for details in error.errors(include_url=False, include_context=False)]
        raise Problem(422, "invalid-body", "The body is at fault.", errors=faults[:MOST_FAULTS]) from None


def _too_large() -> Problem:
    return Problem(413, "body-too-large", f"A body has at most {MOST_BYTES} bytes.")


def _headers(raw: Iterable[tuple[bytes, bytes]], faults: list[ErrorView]) -> dict[bytes, str]:
    """The headers of interest; a list that comes in several headers is joined."""
    found: dict[bytes, str] = {}
    for name, value in raw:
        if name not in _OF_INTEREST:
            continue
        text = value.decode("latin-1")
        if name not in found:
            found[name] = text
        elif name in _LISTS:
            found[name] += f", {text}"
        elif found[name] != text:
            faults.append(ErrorView("is given twice", header=name.decode()))
    return found


def _query(raw: bytes, allowed: Collection[str], faults: list[ErrorView]) -> dict[str, list[str]]:
    query: dict[str, list[str]] = {}
    for part in filter(None, raw.split(b"&")):
        name, _, value = part.partition(b"=")
        try:
            query.setdefault(_decoded(name), []).append(_decoded(value))
        except ValueError:
            shown = part[:40].decode("ascii", "replace")
            faults.append(ErrorView("is not percent-encoded UTF-8", parameter=shown))
    faults += [
        ErrorView("there is no such parameter", parameter=name[:40]) for name in query if name not in allowed
    ]
    return query


def _decoded(text: bytes) -> str:
    if _BROKEN_ESCAPE.search(text):
        raise ValueError(text)
    return unquote_to_bytes(text.replace(b"+", b" ")).decode("utf-8")


def _channel(uuid: str, catalogue: Catalogue) -> Channel:
    try:
        return catalogue.channel(uuid.lower())
    except UnknownEntry:
        fault = ErrorView("there is no such channel", header="service-channel-uuid")
        raise Problem(404, "unknown-channel", "There is no such sales channel.", errors=[fault]) from None


def _fault(details: ErrorDetails) -> ErrorView:
    """A finding of pydantic in our words."""
    pointer = pointer_to(details["loc"])
    match details["type"]:
        case "missing":
            return ErrorView("is missing", pointer=pointer)
        case "extra_forbidden":
            return ErrorView("there is no such property", pointer=pointer)
        case _:
            message = details["msg"]
            return ErrorView(f"{message[:1].lower()}{message[1:]}", pointer=pointer)
