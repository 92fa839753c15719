"""The page of the sandbox: shown while a registration is open, and what became of it afterwards."""

from __future__ import annotations

import re
from hmac import compare_digest
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from faregate.translations import LANGUAGES
from faregate_http.payment.details import PENDING, request_of, return_url
from faregate_http.payment.gateway import Refusal
from faregate_http.protocol.languages import negotiate
from faregate_http.protocol.problems import Problem
from faregate_http.store.contract import StoreUnavailable
from faregate_server.demo.sandbox.gateway import REGISTRATIONS, SandboxInstrument, sandbox_instrument
from faregate_server.demo.sandbox.page import ending_page, form_page, message_page, page_headers
from faregate_server.demo.sandbox.texts import TEXTS

if TYPE_CHECKING:
    from datetime import datetime

    from starlette.requests import Request

    from faregate_http.payment.details import RegistrationRequest
    from faregate_http.payment.gateway import Conclusion
    from faregate_http.services import Services
    from faregate_http.store.records import PaymentDetailRow

_MOST_BYTES = 4096
_MOST_FIELDS = 10
_FIELDS = frozenset({"token", "action", "method", "instrument"})
_FORM_TYPE = re.compile(
    r"application/x-www-form-urlencoded\s*(;\s*charset=\"?utf-8\"?\s*)?", re.IGNORECASE | re.ASCII
)
_LINK = re.compile(r"(?P<transaction>[0-9a-f]{32})-(?P<secret>[A-Za-z0-9_-]{32})", re.ASCII)


class _Refused(Exception):
    """A request that gets a page with nothing but a message: a field of the texts of its language."""

    def __init__(self, status: int, message: str, language: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.language = language


class _Visit(NamedTuple):
    """A registration that somebody looks at, and in which language."""

    row: PaymentDetailRow
    language: str


async def _answer(request: Request) -> Response:
    try:
        visit = await _visit(request)
        return await _posted(request, visit) if request.method == "POST" else _shown(visit)
    except _Refused as refused:
        return _message(refused.status, refused.message, refused.language)
    except (StoreUnavailable, Problem):  # the only problem here is that others are quicker again and again
        return _message(503, "unavailable", _language_of(request))
    except ClientDisconnect:
        return Response(status_code=400)


async def _visit(request: Request) -> _Visit:
    services: Services = request.state.services
    named = _LINK.fullmatch(request.path_params["link"])
    row = await services.payment_details.registration(named["transaction"]) if named else None
    if named is None or row is None or not compare_digest(named["secret"], request_of(row).form_token):
        raise _Refused(404, "unknown", _language_of(request))
    return _Visit(row, _language_of(request, request_of(row).language))


def _language_of(request: Request, registered: str | None = None) -> str:
    """The language that the address names, or that of the registration, or what the browser asks for."""
    named = request.query_params.get("language")
    if named in LANGUAGES:
        return named
    return registered or negotiate(request.headers.get("accept-language"))


def _shown(visit: _Visit, status: int = 200) -> Response:
    row, language = visit
    body = form_page(row, language) if row.status == PENDING else ending_page(row, language)
    return Response(body, status, page_headers(language, row))


def _message(status: int, message: str, language: str) -> Response:
    body = message_page(getattr(TEXTS[language], message), language)
    return Response(body, status, page_headers(language))


# ---------------------------------------------------------------- the form


async def _posted(request: Request, visit: _Visit) -> Response:
    """End the registration as the form says: whoever is first is sent on, the others see how it ended."""
    services: Services = request.state.services
    row, language = visit
    fields = await _fields(request, language)
    asked = request_of(row)
    if not compare_digest(fields.get("token", "").encode(), asked.form_token.encode()):
        raise _Refused(403, "faulty", language)
    conclusion = _conclusion(fields, asked, services.clock())
    if conclusion is None:
        raise _Refused(422, "faulty", language)
    ended = await services.payment_details.conclude(row.transaction_id, conclusion)
    if ended is None:
        raise _Refused(404, "unknown", language)
    if ended.is_new:
        return Response(status_code=303, headers={**_ON, "location": return_url(ended.row)})
    return _shown(_Visit(ended.row, language), 409)


_ON = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


async def _fields(request: Request, language: str) -> dict[str, str]:
    """The fields of the form, each of which stands there once."""
    if not _FORM_TYPE.fullmatch(request.headers.get("content-type", "")):
        raise _Refused(415, "faulty", language)
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BYTES:
            raise _Refused(413, "faulty", language)
    try:
        pairs = parse_qsl(
            body.decode("ascii"), strict_parsing=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        raise _Refused(400, "faulty", language) from None
    fields = dict(pairs)
    if len(fields) != len(pairs) or not fields.keys() <= _FIELDS:
        raise _Refused(400, "faulty", language)
    return fields


def _conclusion(fields: dict[str, str], asked: RegistrationRequest, at: datetime) -> Conclusion | None:
    """How the registration is to end; None: the form does not say so."""
    match fields:
        case {"action": "cancel"}:
            return Refusal.CANCELLED
        case {"action": "decline"}:
            return Refusal.DECLINED
        case {"action": "succeed", "method": method, "instrument": kind} if method in asked.methods:
            known = {instrument.value: instrument for instrument in SandboxInstrument}
            return sandbox_instrument(known[kind], method, at=at) if kind in known else None
    return None


ROUTES = (Route(f"{REGISTRATIONS}/{{link}}", _answer, methods=["GET", "POST"]),)
