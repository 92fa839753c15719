"""Operations on payment details: register one, list them, make one no default any more. Decisions §12."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import msgspec

from faregate.catalogue.presentation.redirects import check_redirect
from faregate.errors import InvalidInput
from faregate_http.operations import Operation
from faregate_http.payment.detail_rows import Asked
from faregate_http.payment.details import view_of
from faregate_http.protocol.parameters import Parameter, read_word
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.requests import parsed
from faregate_http.protocol.responses import NO_STORE, Response, json_headers
from faregate_http.schemas.payments import (
    PaymentDetailEnvelope,
    PaymentDetailsEnvelope,
    PaymentDetailStatus,
    RegisterPaymentDetailBody,
    RegistrationEnvelope,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faregate.catalogue.channels import Channel
    from faregate_http.protocol.idempotency import KeyedRequest
    from faregate_http.protocol.requests import Request
    from faregate_http.services import Services
    from faregate_http.store.records import PaymentDetailRow

_DETAILS = "/api/payments/payment-details"

_NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)

_encode = msgspec.json.Encoder().encode

# ---------------------------------------------------------------- registering


async def _register(request: Request, services: Services) -> Response:
    account = await services.accounts.required(request)
    body = await request.body()

    async def run(keyed: KeyedRequest | None) -> Response:
        asked = parsed(body, RegisterPaymentDetailBody)
        faults = [*_page_faults(asked, request.channel), *_method_faults(asked, request.channel)]
        if faults:
            raise Problem(422, "invalid-registration", "This cannot be registered here.", errors=faults)
        return await services.payment_details.register(
            account,
            _asked(asked, request),
            is_default=asked.is_default,
            service_url=services.public_url or request.origin,
            keyed=keyed,
        )

    return await services.once(request, body, run, account=account)


def _page_faults(body: RegisterPaymentDetailBody, channel: Channel) -> Iterator[ErrorView]:
    for name, url in body.redirect_urls.model_dump().items():
        pointer = f"/redirectUrls/{name}"
        try:
            check_redirect(url, channel.redirect_urls)
        except InvalidInput as error:
            yield ErrorView(str(error), pointer=pointer, code="redirect-not-allowed")
        else:
            if any(key == "transactionId" for key, _ in parse_qsl(urlsplit(url).query, max_num_fields=None)):
                yield ErrorView("has a transactionId", pointer=pointer, code="redirect-not-allowed")


def _method_faults(body: RegisterPaymentDetailBody, channel: Channel) -> Iterator[ErrorView]:
    kept = [method.type.value for method in channel.payment_methods if method.supports_alias]
    for n, code in enumerate(body.payment_methods):
        pointer = pointer_to(("paymentMethods", n))
        if code not in kept:
            reason = f"expected one of {', '.join(kept) or 'none'}"
            yield ErrorView(reason, pointer=pointer, code="unsupported-method")
        elif code in body.payment_methods[:n]:
            yield ErrorView("is given twice", pointer=pointer, code="repeated-method")


def _asked(body: RegisterPaymentDetailBody, request: Request) -> Asked:
    urls = body.redirect_urls
    return Asked(
        methods=tuple(body.payment_methods),
        channel=request.channel.uuid,
        language=request.language,
        success_url=urls.success,
        error_url=urls.error,
        cancel_url=urls.cancel,
        form_token=secrets.token_urlsafe(24),
    )


# ---------------------------------------------------------------- listing and giving up

_GROUPS = {"card": frozenset({"PFC", "VIS", "ECA"})}
_TYPES = ("TWI", "PAP", "DIB", "REK", "PFP", "PFC", "anonymous", "card", "voucher")
_STATUSES = tuple(status.value for status in PaymentDetailStatus)


def _words(name: str, words: Sequence[str], description: str, *, example: str) -> Parameter[str]:
    schema: dict[str, object] = {
        "type": "array",
        "items": {"type": "string", "enum": list(words)},
        "examples": [[example]],
    }
    return Parameter(name, schema, description, read_word(words))


_STATUS = _words("status", _STATUSES, "Only details of these statuses.", example="ACTIVE")
_TYPE = _words(
    "type",
    _TYPES,
    "Only details of these types: card is PFC, VIS and ECA; voucher is a voucher of either provider; "
    "anonymous is what can be used only once, and is kept under no alias.",
    example="card",
)


async def _list(request: Request, services: Services) -> Response:
    account = await services.accounts.required(request)
    statuses, types = request.values(_STATUS), request.values(_TYPE)
    rows = [
        row
        for row in await services.payment_details.of_account(account.id)
        if (not statuses or row.status in statuses) and (not types or _is_of(row, types))
    ]
    return _answer(request, PaymentDetailsEnvelope([view_of(row) for row in rows]))


def _is_of(row: PaymentDetailRow, types: Sequence[str]) -> bool:
    """Whether it is of one of the types; vouchers are not among what the gateway keeps."""
    return any(
        row.is_single_use if name == "anonymous" else row.method in _GROUPS.get(name, {name})
        for name in types
    )


async def _unset_default(request: Request, services: Services) -> Response:
    account = await services.accounts.required(request)
    text = request.parameters["paymentDetailId"]

    async def run(_keyed: KeyedRequest | None) -> Response:
        row = None
        if _NUMBER.fullmatch(text):
            row = await services.payment_details.unset_default(account.id, int(text))
        if row is None:
            raise Problem(404, "unknown-payment-detail", "There is no such payment detail.")
        return _answer(request, PaymentDetailEnvelope(view_of(row)))

    return await services.once(request, b"", run, account=account)


def _answer(request: Request, envelope: PaymentDetailsEnvelope | PaymentDetailEnvelope) -> Response:
    return Response(200, _encode(envelope), json_headers(request.language, NO_STORE))


OPERATIONS = (
    Operation(
        method="POST",
        path=f"{_DETAILS}/register",
        handler=_register,
        name="registerPaymentDetail",
        summary="Begin to register a means of payment: says where to send the customer.",
        answer=RegistrationEnvelope,
        body=RegisterPaymentDetailBody,
        needs_account=True,
    ),
    Operation(
        method="GET",
        path=_DETAILS,
        handler=_list,
        name="listPaymentDetails",
        summary="The means of payment of the account.",
        answer=PaymentDetailsEnvelope,
        query=(_STATUS, _TYPE),
        needs_account=True,
    ),
    Operation(
        method="DELETE",
        path=f"{_DETAILS}/{{paymentDetailId}}/default",
        handler=_unset_default,
        name="unsetDefaultPaymentDetail",
        summary="Make a means of payment no default, nor one to be.",
        answer=PaymentDetailEnvelope,
        needs_account=True,
    ),
)
