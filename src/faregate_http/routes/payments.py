"""Payment detail operations: register, list, and unset the default. Decisions §12."""

import secrets
from collections.abc import Iterator, Sequence
from urllib.parse import parse_qsl, urlsplit

from faregate.catalogue.channels import Channel
from faregate.catalogue.presentation.redirects import check_redirect
from faregate.errors import InvalidInput
from faregate_http.checkouts.checkouts import is_within_reach
from faregate_http.operations import ForAccount, Operation
from faregate_http.payment.detail_rows import RegistrationRequest, view_of
from faregate_http.protocol.parameters import Parameter, read_word
from faregate_http.protocol.problems import ErrorView, Problem, pointer_to
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import NO_STORE, Response, json_response
from faregate_http.schemas.payments import (
    PaymentDetailEnvelope,
    PaymentDetailsEnvelope,
    PaymentDetailStatus,
    RegisterPaymentDetailBody,
    RegistrationEnvelope,
)
from faregate_http.services import Services
from faregate_http.store.records import AccountRow, PaymentDetailRow

_DETAILS = "/api/payments/payment-details"

# ---------------------------------------------------------------- registering


async def _register(request: Request, services: Services) -> Response:
    body, channel = await request.model(RegisterPaymentDetailBody), request.channel
    if body.checkout_id is None:
        await services.accounts.required(request)
    issues = [*_page_issues(body, channel), *_method_issues(body, channel)]
    issues += await _checkout_issues(body, request, services)
    if issues:
        raise Problem(422, "invalid-registration", errors=issues)
    return await services.payment_details.register(
        request.account,
        _registration_request(body, request),
        is_default=body.is_default,
        service_url=services.public_url or request.origin,
        checkout_id=body.checkout_id,
        keyed=request.keyed,
    )


def _page_issues(body: RegisterPaymentDetailBody, channel: Channel) -> Iterator[ErrorView]:
    for name, url in body.redirect_urls.model_dump().items():
        pointer = f"/redirectUrls/{name}"
        try:
            check_redirect(url, channel.redirect_urls)
        except InvalidInput as error:
            yield ErrorView(str(error), pointer=pointer, code="redirect-not-allowed")
        else:
            if any(key == "transactionId" for key, _ in parse_qsl(urlsplit(url).query, max_num_fields=None)):
                yield ErrorView("must not have a transactionId", pointer=pointer, code="redirect-not-allowed")


def _method_issues(body: RegisterPaymentDetailBody, channel: Channel) -> Iterator[ErrorView]:
    is_kept = body.checkout_id is None
    supported = [
        method.type.value for method in channel.payment_methods if method.supports_alias or not is_kept
    ]
    for n, code in enumerate(body.payment_methods):
        pointer = pointer_to(("paymentMethods", n))
        if code not in supported:
            reason = f"expected one of {', '.join(supported) or 'none'}"
            yield ErrorView(reason, pointer=pointer, code="unsupported-method")
        elif code in body.payment_methods[:n]:
            yield ErrorView("occurs twice", pointer=pointer, code="repeated-method")


async def _checkout_issues(
    body: RegisterPaymentDetailBody, request: Request, services: Services
) -> list[ErrorView]:
    """Return any error about ``checkoutId``: the checkout is unknown, or the detail is to be the default."""
    if body.checkout_id is None:
        return []
    head = await services.store.head(body.checkout_id)
    if head is None or not is_within_reach(head, request, services.clock()):
        return [ErrorView("unknown checkout", pointer="/checkoutId", code="unknown-checkout")]
    if body.is_default:
        return [ErrorView("must be false with a checkoutId", pointer="/isDefault")]
    return []


def _registration_request(body: RegisterPaymentDetailBody, request: Request) -> RegistrationRequest:
    urls = body.redirect_urls
    return RegistrationRequest(
        methods=tuple(body.payment_methods),
        channel=request.channel.uuid,
        language=request.language,
        success_url=urls.success,
        error_url=urls.error,
        cancel_url=urls.cancel,
        form_token=secrets.token_urlsafe(24),
    )


# ---------------------------------------------------------------- listing and unsetting

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


_STATUS = _words("status", _STATUSES, "List only details with these statuses.", example="ACTIVE")
_TYPE = _words(
    "type",
    _TYPES,
    "List only details of these types: card includes PFC, VIS and ECA; voucher includes both providers;"
    " anonymous includes details that can be used for only one checkout.",
    example="card",
)


async def _list(request: Request, services: Services, account: AccountRow) -> Response:
    statuses, types = request.values(_STATUS), request.values(_TYPE)
    views = [
        view_of(row)
        for row in await services.payment_details.of_account(account.id)
        if (not statuses or row.status in statuses) and (not types or _is_of(row, types))
    ]
    return json_response(PaymentDetailsEnvelope(views), NO_STORE, language=request.language)


def _is_of(row: PaymentDetailRow, types: Sequence[str]) -> bool:
    """Return True if a detail has one of *types*; "voucher" matches no detail, as vouchers are not stored."""
    return any(
        row.checkout_id is not None if name == "anonymous" else row.method in _GROUPS.get(name, {name})
        for name in types
    )


async def _unset_default(request: Request, services: Services, account: AccountRow) -> Response:
    detail_id = request.path_number("paymentDetailId")
    row = None
    if detail_id is not None:
        row = await services.payment_details.unset_default(account.id, detail_id)
    if row is None:
        raise Problem(404, "unknown-payment-detail")
    return json_response(PaymentDetailEnvelope(view_of(row)), NO_STORE, language=request.language)


OPERATIONS = (
    Operation(
        method="POST",
        path=f"{_DETAILS}/register",
        handler=_register,
        serves_guests=True,
        asks_gateway=True,
        name="registerPaymentDetail",
        summary="Begin to register a means of payment and get the page to send the customer to.",
        answer=RegistrationEnvelope,
        body=RegisterPaymentDetailBody,
    ),
    Operation(
        method="GET",
        path=_DETAILS,
        handler=ForAccount(_list),
        name="listPaymentDetails",
        summary="List the means of payment of the account.",
        answer=PaymentDetailsEnvelope,
        query=(_STATUS, _TYPE),
    ),
    Operation(
        method="DELETE",
        path=f"{_DETAILS}/{{paymentDetailId}}/default",
        handler=ForAccount(_unset_default),
        name="unsetDefaultPaymentDetail",
        summary="Unset a means of payment as the default.",
        answer=PaymentDetailEnvelope,
    ),
)
