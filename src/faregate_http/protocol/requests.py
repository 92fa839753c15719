"""Requests as operations see them: headers, query and body, parsed strictly. Decisions §15."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, TypeVar
from urllib.parse import unquote_to_bytes

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.types import Receive, Scope

from faregate.catalogue.channels import Channel
from faregate_http.protocol.bodies import MOST_BYTES, read_body
from faregate_http.protocol.etags import InvalidETag, etag_matches
from faregate_http.protocol.hosts import is_loopback
from faregate_http.protocol.json_input import InvalidJson, read_json
from faregate_http.protocol.languages import negotiate
from faregate_http.protocol.parameters import Parameter, is_checkout_id, is_uuid
from faregate_http.protocol.problems import MOST_ERRORS, ErrorView, Problem, pointer_to
from faregate_http.protocol.stored_responses import KeyedRequest
from faregate_http.store.records import AccountRow

API_VERSION = "2025-02-18"

MOST_VALUES = 500
"""Maximum number of values of one query parameter."""

_Model = TypeVar("_Model", bound=BaseModel)
_Value = TypeVar("_Value")

_OF_BODIES = frozenset({b"api-version", b"content-type", b"content-length", b"content-encoding"})
_CONDITIONS = (b"if-match", b"if-none-match")
_COMMON = frozenset(
    {
        *(b"service-channel-uuid", b"service-channel-key", b"accept-language", b"authorization", b"host"),
        *(b"idempotency-key", b"order-secret", *_CONDITIONS),
    }
)
_LISTS = frozenset({*_CONDITIONS, b"accept-language", b"content-encoding"})

_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)
_JSON_TYPE = re.compile(r"application/json\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE | re.ASCII)
_HOST = re.compile(r"(?P<name>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)
_PATH_NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)
_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")


class PlainRequest:
    """A request without a channel or language; its body is read on demand.

    Headers about channel, language, revision or idempotency are ignored.

    Raises:
        Problem: 400, with all errors in headers and query.
    """

    __slots__ = ("_body", "_client", "_receive", "_share", "headers", "method", "parameters", "path", "query")

    _looked_at: ClassVar[frozenset[bytes]] = _OF_BODIES

    def __init__(
        self, scope: Scope, receive: Receive, *, parameters: Sequence[Parameter[object]] = ()
    ) -> None:
        faults: list[ErrorView] = []
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.parameters: Mapping[str, str] = scope["path_params"]
        self.headers = _headers(scope["headers"], self._looked_at, faults)
        query = scope["query_string"]
        self.query = _query(query, parameters, faults) if query or parameters else {}
        faults += self._header_faults()
        if faults:
            raise Problem(400, "invalid-request", errors=faults)
        self._receive = receive
        self._body: bytes | None = None
        self._client: tuple[str, int] | None = scope.get("client")

    @property
    def client(self) -> str:
        """Address of the client, as far as the server knows it."""
        return self._client[0] if self._client else "unknown"

    def _header_faults(self) -> Iterable[ErrorView]:
        version = self.headers.get(b"api-version")
        if version is None or version == API_VERSION:
            return ()
        return (ErrorView(f"unknown version, expected {API_VERSION}", header="api-version"),)

    async def body(self) -> bytes:
        """Return the body, which must be JSON; the body is received only once.

        Raises:
            Problem: 415, the media type is not JSON; 413, the body is too large; 503, too many large bodies
                arrive at once.
            ClientGone: the client closed the connection.
        """
        if self._body is None:
            self._check_body()
            # The share must live as long as the request.
            self._body, self._share = await read_body(self._receive)
        return self._body

    async def model(self, model: type[_Model]) -> _Model:
        """Return the body, validated as *model*.

        Raises:
            Problem: see `body` and `parsed`.
            ClientGone: the client closed the connection.
        """
        return parsed(await self.body(), model)

    def _check_body(self) -> None:
        kind = self.headers.get(b"content-type")
        if kind is None or not _JSON_TYPE.fullmatch(kind) or b"content-encoding" in self.headers:
            raise Problem(
                415,
                "unsupported-media-type",
                headers=((b"accept", b"application/json"),),
            )
        length = self.headers.get(b"content-length")
        if length is not None and length.isdecimal() and int(length[:20]) > MOST_BYTES:
            raise Problem(413, "body-too-large")

    def path_number(self, name: str) -> int | None:
        """Return the path parameter *name* as a number, or None if it cannot be an id."""
        text = self.parameters[name]
        return int(text) if _PATH_NUMBER.fullmatch(text) else None

    def values(self, parameter: Parameter[_Value]) -> list[_Value]:
        """Return the values of a query parameter in the order in which the client sent them."""
        return [parameter.read(text) for text in self.query.get(parameter.name, ())]

    def value(self, parameter: Parameter[_Value]) -> _Value | None:
        """Return the value of a query parameter, or None if it is absent."""
        return next(iter(self.values(parameter)), None)


class Request(PlainRequest):
    """A request in one language on a sales channel, which *channel_of* finds.

    ``account`` is the account that the request's token names, once the token has been read, and
    ``customer_groups`` are the groups in it. ``keyed`` is set if the request has an Idempotency-Key.

    Raises:
        Problem: 400, with all errors in headers and query; or a problem that *channel_of* raises.
    """

    __slots__ = ("_scheme", "account", "channel", "customer_groups", "keyed", "language")

    _looked_at = _OF_BODIES | _COMMON

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        *,
        channel_of: Callable[[PlainRequest], Channel],
        parameters: Sequence[Parameter[object]] = (),
    ) -> None:
        super().__init__(scope, receive, parameters=parameters)
        self.language = negotiate(self.headers.get(b"accept-language"))
        self.channel = channel_of(self)
        self._scheme: str = scope.get("scheme", "http")
        self.account: AccountRow | None = None
        self.customer_groups: frozenset[str] = frozenset()
        self.keyed: KeyedRequest | None = None

    @property
    def checkout_id(self) -> str:
        """Id of the checkout in the path.

        Raises:
            Problem: 404, the id is not a UUID of version 4 or 7.
        """
        checkout_id = self.parameters["checkoutId"]
        if not is_checkout_id(checkout_id):
            raise unknown_checkout()
        return checkout_id.lower()

    @property
    def origin(self) -> str:
        """Loopback address at which the client reached the service, such as ``http://localhost:8000``.

        Raises:
            Problem: 503, the client names another host, for which the service needs a public URL.
        """
        if not self.loopback_origin:
            raise Problem(503, "public-url-not-configured")
        return self.loopback_origin

    @property
    def loopback_origin(self) -> str:
        """Loopback address as in ``origin``, or "" if the client names another host."""
        host = self.headers.get(b"host", "")
        named = _HOST.fullmatch(host)
        return f"{self._scheme}://{host}" if named and is_loopback(named["name"]) else ""

    def _header_faults(self) -> Iterable[ErrorView]:
        yield from super()._header_faults()
        uuid = self.headers.get(b"service-channel-uuid")
        if uuid is None or not is_uuid(uuid):
            wrong = "is missing" if uuid is None else "is not a UUID"
            yield ErrorView(wrong, header="service-channel-uuid")
        key = self.headers.get(b"idempotency-key")
        if key is not None and not _KEY.fullmatch(key):
            yield ErrorView("expected 1 to 255 visible ASCII characters", header="idempotency-key")
        yield from _condition_faults(self.headers)


def unknown_checkout() -> Problem:
    """Return the problem for a checkout that does not exist or belongs to another channel or account."""
    return Problem(404, "unknown-checkout")


def parsed(body: bytes, model: type[_Model]) -> _Model:
    """Return the JSON text *body*, validated as *model*.

    Raises:
        Problem: 400, the body is not JSON; 422, with all errors in its structure.
    """
    try:
        data = read_json(body)
    except InvalidJson as error:
        faults = [ErrorView(issue.message, pointer=pointer_to(issue.loc)) for issue in error.issues]
        raise Problem(400, "invalid-json", errors=faults) from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:MOST_ERRORS]
        faults = [_fault(details) for details in found]
        raise Problem(422, "invalid-body", errors=faults) from None


def _headers(
    raw: Iterable[tuple[bytes, bytes]], looked_at: frozenset[bytes], faults: list[ErrorView]
) -> dict[bytes, str]:
    """Return the headers named in *looked_at*, keyed by name; add an error to *faults* if values conflict."""
    found: dict[bytes, str] = {}
    for name, value in raw:
        if name not in looked_at:
            continue
        text = value.decode("latin-1")
        if name not in found:
            found[name] = text
        elif name in _LISTS:
            found[name] += f", {text}"
        elif found[name] != text:
            faults.append(ErrorView("occurs twice with different values", header=name.decode()))
    return found


def _condition_faults(headers: Mapping[bytes, str]) -> Iterator[ErrorView]:
    for name in _CONDITIONS:
        try:
            if name in headers:
                etag_matches(headers[name], None)
        except InvalidETag as error:
            yield ErrorView(str(error), header=name.decode())


def _query(
    raw: bytes, parameters: Sequence[Parameter[object]], faults: list[ErrorView]
) -> dict[str, list[str]]:
    query: dict[str, list[str]] = {}
    for part in filter(None, raw.split(b"&")):
        name, _, value = part.partition(b"=")
        try:
            values = query.setdefault(_decoded(name), [])
            values.append(_decoded(value))
        except ValueError:
            shown = name[:40].decode("ascii", "replace")
            faults.append(ErrorView("is not percent-encoded UTF-8", parameter=shown))
    known = {parameter.name for parameter in parameters}
    faults += [ErrorView("unknown parameter", parameter=name[:40]) for name in query if name not in known]
    for parameter in parameters:
        if parameter.name in query:
            faults += _unread(parameter, query[parameter.name])
        elif parameter.is_required:
            faults.append(ErrorView("is missing", parameter=parameter.name))
    return query


def _unread(parameter: Parameter[object], values: Sequence[str]) -> Iterator[ErrorView]:
    if len(values) > (MOST_VALUES if parameter.is_repeatable else 1):
        yield ErrorView("occurs too many times", parameter=parameter.name)
    for value in values:
        try:
            parameter.read(value)
        except ValueError as error:
            yield ErrorView(str(error), parameter=parameter.name)


def _decoded(text: bytes) -> str:
    if _BROKEN_ESCAPE.search(text):
        raise ValueError(text)
    return unquote_to_bytes(text.replace(b"+", b" ")).decode("utf-8")


_REASONS = {
    "missing": "is missing",
    "extra_forbidden": "unknown property",
    "model_type": "expected an object",
    "dict_type": "expected an object",
    "list_type": "expected an array",
    "string_type": "expected a string",
    "int_type": "expected a whole number",
    "bool_type": "expected true or false",
    "is_instance_of": "expected a number",  # a Decimal, the only class that bodies ask for
    "greater_than_equal": "expected at least {ge}",
    "less_than_equal": "expected at most {le}",
    "string_too_short": "expected at least {min_length} character",
    "string_too_long": "expected at most {max_length} characters",
    "literal_error": "expected {expected}",
    "string_pattern_mismatch": "expected text that matches {pattern}",
    "too_short": "expected at least {min_length} element",
    "too_long": "expected at most {max_length} elements, got {actual_length}",
}


def _fault(details: ErrorDetails) -> ErrorView:
    reason = _REASONS.get(details["type"], "is not accepted")
    return ErrorView(reason.format_map(details.get("ctx", {})), pointer=pointer_to(details["loc"]))
