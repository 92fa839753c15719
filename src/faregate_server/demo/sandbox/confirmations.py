"""The sandbox page on which a customer confirms a payment, as on a bank's page for 3-D Secure."""

from hmac import compare_digest
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from faregate_http.payment.detail_rows import request_of, with_transaction
from faregate_http.payment.details import detail_of
from faregate_http.payment.gateway import ChargeResult, Outcome
from faregate_http.payment.rows import is_open
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.services import Services
from faregate_http.store.records import PaymentDetailRow, PaymentRow
from faregate_server.demo.sandbox.gateway import CONFIRMATIONS, NOT_CONFIRMED
from faregate_server.demo.sandbox.page import confirmation_page, page_headers
from faregate_server.demo.sandbox.visits import LINK, ON, Refused, answered, fields_of, language_of

_RESULTS = {"confirm": ChargeResult(Outcome.SETTLED), "refuse": NOT_CONFIRMED}


class _Visit(NamedTuple):
    """A payment that awaits confirmation, the payment detail to charge, and the language of the page."""

    payment: PaymentRow
    detail: PaymentDetailRow
    language: str


async def _answer(request: Request) -> Response:
    return await answered(request, _posted if request.method == "POST" else _shown)


async def _visit(request: Request) -> _Visit:
    services: Services = request.state.services
    named = LINK.fullmatch(request.path_params["link"])
    rows = await services.store.find(PaymentRow, id=named["transaction"]) if named else []
    for payment in rows:
        detail = await detail_of(payment, services.store)
        page = urlsplit(payment.redirect_url or "").path
        is_theirs = compare_digest(page.encode(), request.url.path.encode())
        if detail is not None and is_theirs and is_open(payment, services.clock()):
            return _Visit(payment, detail, language_of(request, request_of(detail).language))
    raise Refused(404, "unknown_payment", language_of(request))


async def _shown(request: Request) -> Response:
    payment, detail, language = await _visit(request)
    body = confirmation_page(payment, request.url.path, language)
    return Response(body, 200, page_headers(language, detail))


async def _posted(request: Request) -> Response:
    services: Services = request.state.services
    payment, detail, language = await _visit(request)
    result = _RESULTS.get((await fields_of(request, language)).get("action", ""))
    if result is None:
        raise Refused(422, "faulty", language)
    ended = await services.payments.concluded(payment.id, result)
    is_paid = ended is not None and ended.status == PaymentState.SETTLED.value
    asked = request_of(detail)
    location = with_transaction(asked.success_url if is_paid else asked.error_url, detail)
    return Response(status_code=303, headers={**ON, "location": location})


ROUTES = (Route(f"{CONFIRMATIONS}/{{link}}", _answer, methods=["GET", "POST"]),)
