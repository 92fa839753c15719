"""The sandbox registration page: a form while a registration is pending, then the result."""

from datetime import datetime
from hmac import compare_digest
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from faregate_http.payment.detail_rows import PENDING, RegistrationRequest, request_of, return_url
from faregate_http.payment.gateway import Conclusion, Refusal
from faregate_http.services import Services
from faregate_http.store.records import PaymentDetailRow
from faregate_server.demo.sandbox import confirmations
from faregate_server.demo.sandbox.gateway import REGISTRATIONS, SandboxInstrument, sandbox_instrument
from faregate_server.demo.sandbox.page import ending_page, form_page, page_headers
from faregate_server.demo.sandbox.visits import LINK, ON, Refused, answered, fields_of, language_of


class _Visit(NamedTuple):
    row: PaymentDetailRow
    language: str


async def _answer(request: Request) -> Response:
    return await answered(request, _registration)


async def _registration(request: Request) -> Response:
    visit = await _visit(request)
    return await _posted(request, visit) if request.method == "POST" else _shown(visit)


async def _visit(request: Request) -> _Visit:
    services: Services = request.state.services
    named = LINK.fullmatch(request.path_params["link"])
    row = await services.payment_details.registration(named["transaction"]) if named else None
    if named is None or row is None or not compare_digest(named["secret"], request_of(row).form_token):
        raise Refused(404, "unknown", language_of(request))
    return _Visit(row, language_of(request, request_of(row).language))


def _shown(visit: _Visit, status: int = 200) -> Response:
    row, language = visit
    body = form_page(row, language) if row.status == PENDING else ending_page(row, language)
    return Response(body, status, page_headers(language, row))


async def _posted(request: Request, visit: _Visit) -> Response:
    """End the registration as the customer chose; if another request ended it first, show that result."""
    services: Services = request.state.services
    row, language = visit
    fields = await fields_of(request, language)
    asked = request_of(row)
    if not compare_digest(fields.get("token", "").encode(), asked.form_token.encode()):
        raise Refused(403, "faulty", language)
    conclusion = _conclusion(fields, asked, services.clock())
    if conclusion is None:
        raise Refused(422, "faulty", language)
    ended = await services.payment_details.conclude(row.transaction_id, conclusion)
    if ended is None:
        raise Refused(404, "unknown", language)
    if ended.is_new:
        return Response(status_code=303, headers={**ON, "location": return_url(ended.row)})
    return _shown(_Visit(ended.row, language), 409)


def _conclusion(fields: dict[str, str], asked: RegistrationRequest, at: datetime) -> Conclusion | None:
    """Return the conclusion that the customer chose in the form *fields*, or None if they are invalid."""
    match fields:
        case {"action": "cancel"}:
            return Refusal.CANCELLED
        case {"action": "decline"}:
            return Refusal.DECLINED
        case {"action": "succeed", "method": method, "instrument": kind} if method in asked.methods:
            known = {instrument.value: instrument for instrument in SandboxInstrument}
            return sandbox_instrument(known[kind], method, at=at) if kind in known else None
    return None


ROUTES = (Route(f"{REGISTRATIONS}/{{link}}", _answer, methods=["GET", "POST"]), *confirmations.ROUTES)
