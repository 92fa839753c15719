"""Links, forms and error pages that the sandbox pages share."""

import re
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from faregate.translations import LANGUAGES
from faregate_http.protocol.languages import negotiate
from faregate_http.protocol.problems import Problem
from faregate_http.store.contract import StoreUnavailable
from faregate_server.demo.sandbox.page import message_page, page_headers
from faregate_server.demo.sandbox.texts import TEXTS

_MAX_BYTES = 4096
_MAX_FIELDS = 10
_FIELDS = frozenset({"token", "action", "method", "instrument"})
_FORM_TYPE = re.compile(
    r"application/x-www-form-urlencoded\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE | re.ASCII
)

LINK = re.compile(r"(?P<transaction>[0-9a-f]{32})-(?P<secret>[A-Za-z0-9_-]{32})", re.ASCII)
"""Pattern for the last part of a page's path: a public id, and the secret that belongs to that id."""

ON = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
"""Headers of a response that redirects to the shop."""


class Refused(Exception):
    """An error that is shown as a page; *message* names a field of `PageTexts`."""

    def __init__(self, status: int, message: str, language: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.language = language


async def answered(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    """Return the response of the handler *answer*, or an error page if it refuses the request or fails."""
    try:
        return await answer(request)
    except Refused as refused:
        return _message(refused.status, refused.message, refused.language)
    except (StoreUnavailable, Problem):  # the only possible problem: other writers came first repeatedly
        return _message(503, "unavailable", language_of(request))
    except ClientDisconnect:
        return Response(status_code=400)


def language_of(request: Request, registered: str | None = None) -> str:
    """Return the language in the URL, or else *registered*, or else the browser's preferred language."""
    named = request.query_params.get("language")
    if named in LANGUAGES:
        return named
    return registered or negotiate(request.headers.get("accept-language"))


def _message(status: int, message: str, language: str) -> Response:
    body = message_page(getattr(TEXTS[language], message), language)
    return Response(body, status, page_headers(language))


async def fields_of(request: Request, language: str) -> dict[str, str]:
    """Return the form fields in *request*; raise `Refused` if they are malformed, unknown or repeated."""
    if not _FORM_TYPE.fullmatch(request.headers.get("content-type", "")):
        raise Refused(415, "faulty", language)
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _MAX_BYTES:
            raise Refused(413, "faulty", language)
    try:
        pairs = parse_qsl(
            body.decode("ascii"), strict_parsing=True, errors="strict", max_num_fields=_MAX_FIELDS
        )
    except ValueError:
        raise Refused(400, "faulty", language) from None
    fields = dict(pairs)
    if len(fields) != len(pairs) or not fields.keys() <= _FIELDS:
        raise Refused(400, "faulty", language)
    return fields
