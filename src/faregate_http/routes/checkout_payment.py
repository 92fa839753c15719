"""Checkout payment operations: pay, and get the payment status. Decisions §11.1, §12."""

from datetime import datetime
from enum import Enum
from functools import partial
from typing import TypeVar

import msgspec

from faregate.catalogue.channels import Channel
from faregate.checkout.paying import PaymentProvider, Tender, payment_way
from faregate.checkout.priced import PricedCheckout
from faregate.errors import InvalidAmount, InvalidCheckout
from faregate.money.amounts import MinorUnits, parse_minor_units
from faregate.money.currency import currency
from faregate_http.operations import Operation
from faregate_http.ordering.order_access import SECRET_HEADER
from faregate_http.payment.detail_rows import own_detail
from faregate_http.payment.rows import Instructions, as_of, cash_due_of, errors_of, vouchers_of
from faregate_http.protocol.numbers import major_units
from faregate_http.protocol.problems import ErrorView, Problem, payment_error
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import NO_STORE, Response, json_response
from faregate_http.schemas.checkout import CheckoutEnvelope
from faregate_http.schemas.payment_status import (
    PayBody,
    PaymentState,
    PaymentStatusEnvelope,
    PaymentStatusView,
    ProviderMethodView,
    ProviderType,
    ProviderView,
)
from faregate_http.services import Services
from faregate_http.store.records import PaymentDetailRow, PaymentRow

_Option = TypeVar("_Option", bound="Enum")

_PATH = "/api/checkout/{checkoutId}/payment"

# ---------------------------------------------------------------- paying


async def _pay(request: Request, services: Services) -> Response:
    body = await request.model(PayBody)
    named = (
        _member(PaymentProvider, body.provider, "provider"),
        _member(Tender, body.tender, "tender"),
    )
    expected_total = _expected_total(body, request.channel.currency)
    instruct = partial(_instructions, body.payment_detail_id, named, request, services)
    service_url = services.public_url or request.loopback_origin
    response = await services.payments.pay(request, expected_total, instruct, service_url)
    return _with_order_secret(response, request, services)


def _member(kind: type[_Option], text: str | None, field: str) -> _Option | None:
    """Return the member of *kind* with the value *text*, or None for None; raise a 422 for other text."""
    members = {member.value: member for member in kind}
    if text is not None and text not in members:
        raise _refused(f"expected {' or '.join(members)}", field)
    return None if text is None else members[text]


def _expected_total(body: PayBody, code: str) -> int:
    try:
        amount = parse_minor_units(body.expected_total, currency(code))
    except InvalidAmount as error:
        raise _refused(str(error), "expectedTotal") from None
    if amount < 0:
        raise _refused("expected at least 0", "expectedTotal")
    return amount


async def _instructions(
    detail_id: int | None,
    named: tuple[PaymentProvider | None, Tender | None],
    request: Request,
    services: Services,
    amount_due: int,
    tried: frozenset[int | None],
) -> Instructions:
    """Return instructions to pay *amount_due*; the checkout's details with ids in *tried* are not reused.

    Raises:
        Problem: 422, the checkout cannot be paid for in the requested way.
    """
    provider, tender = named
    detail = await _detail(detail_id, request, services, tried)
    try:
        way = payment_way(
            amount_due,
            channel=request.channel,
            provider=provider,
            tender=tender,
            has_detail=detail_id is not None,
            has_default=detail is not None,
        )
    except InvalidCheckout as error:
        [issue] = error.issues
        raise _refused(issue.message, f"{issue.loc[0]}") from None
    if way.provider is not PaymentProvider.GATEWAY:
        return Instructions(way)
    return Instructions(way, _accepted(detail, detail_id, request.channel))


async def _detail(
    detail_id: int | None, request: Request, services: Services, tried: frozenset[int | None]
) -> PaymentDetailRow | None:
    """Return the usable detail with the id *detail_id*, or None.

    If *detail_id* is None, this is the checkout's own detail or, without one, the account's default.
    """
    details, at = services.payment_details, services.clock()
    own = own_detail(await details.of_checkout(request.checkout_id), tried, at)
    if own is not None and detail_id in {None, own.id}:
        return own
    return None if request.account is None else await details.usable(request.account.id, detail_id)


def _accepted(detail: PaymentDetailRow | None, detail_id: int | None, channel: Channel) -> PaymentDetailRow:
    if detail is None:
        # The response is the same for a detail of another account, so that ids reveal nothing.
        message = (
            "is missing: the checkout has no payment detail and the account has no default"
            if detail_id is None
            else "cannot be used for this payment"
        )
        raise _refused(message, "paymentDetailId")
    if detail.method not in {method.type.value for method in channel.payment_methods}:
        raise _refused(f"{detail.method} is not accepted on this channel", "paymentDetailId")
    return detail


def _refused(message: str, field: str) -> Problem:
    fault = ErrorView(message, pointer=f"/{field}")
    return Problem(422, "invalid-payment", errors=[fault])


def _with_order_secret(response: Response, request: Request, services: Services) -> Response:
    """Return *response* with the order secret added for a guest, even before the order exists."""
    secret = services.order_secrets.of(request.checkout_id)
    if secret is None or request.account is not None:
        return response
    return response._replace(headers=(*response.headers, (SECRET_HEADER, secret.encode())))


# ---------------------------------------------------------------- the status


async def _status(request: Request, services: Services) -> Response:
    payments = await services.store.find(PaymentRow, checkout_id=request.checkout_id)
    row, priced = await services.checkouts.load(request), None
    if request.account is not None and row.account is None:
        # Binds the checkout to the account and prices it again.
        priced = (await services.checkouts.show(request)).priced
        row = await services.store.checkout(row.id) or row
    if payments:
        view = _view(payments[-1], request, at=services.clock())
        return json_response(PaymentStatusEnvelope(view), NO_STORE, language=request.language)
    unpaid = _unpaid(priced or await services.checkouts.price(row))
    return json_response(PaymentStatusEnvelope(unpaid), NO_STORE, language=request.language)


def _unpaid(priced: PricedCheckout) -> PaymentStatusView:
    unit = currency(priced.channel.currency)
    return PaymentStatusView(
        status=PaymentState.PENDING,
        total_amount=major_units(unit)(priced.totals.total_gross),
        currency=unit.code,
        errors=[],
        primary_payment_provider=None,
    )


def _view(payment: PaymentRow, request: Request, *, at: datetime) -> PaymentStatusView:
    amount, state = major_units(currency(payment.currency)), as_of(payment, at)
    vouchers = vouchers_of(payment)
    cash_due = cash_due_of(payment, request.channel.policy)
    primary = _primary(payment, state, payment.amount if cash_due is None else cash_due)
    confirm = (payment.redirect_url if state is PaymentState.PENDING else None) or msgspec.UNSET
    by_voucher = ProviderMethodView("VOUCHER_B", "voucher")
    secondary = [
        ProviderView(ProviderType.VOUCHER_B, state, by_voucher, amount(paid)) for _, paid in vouchers
    ]
    return PaymentStatusView(
        status=state,
        total_amount=amount(payment.amount + sum(paid for _, paid in vouchers)),
        currency=payment.currency,
        errors=[payment_error(error, request.language) for error in errors_of(payment)],
        primary_payment_provider=primary,
        secondary_payment_providers=secondary or msgspec.UNSET,
        cash_due=msgspec.UNSET if cash_due is None else amount(cash_due),
        redirect_url=confirm,
    )


def _primary(payment: PaymentRow, state: PaymentState, paid: MinorUnits) -> ProviderView | None:
    amount = major_units(currency(payment.currency))(paid)
    match payment.provider:
        case ProviderType.GATEWAY.value:
            provider, method = ProviderType.GATEWAY, ProviderMethodView("GATEWAY", payment.method or "")
        case ProviderType.ON_SITE.value:
            # The specification shows payments on site as a voucher.
            provider, method = ProviderType.ON_SITE, ProviderMethodView("VOUCHER_A", "voucher")
        case _:
            return None
    return ProviderView(provider, state, method, amount)


OPERATIONS = (
    Operation(
        method="POST",
        path=_PATH,
        handler=_pay,
        asks_gateway=True,
        name="payCheckout",
        summary="Pay for the checkout with vouchers, and the rest through the gateway or on site.",
        answer=CheckoutEnvelope,
        body=PayBody,
        is_extension=True,
        answer_headers={"order-secret": "Secret for reading the order, for guests only."},
    ),
    Operation(
        method="GET",
        path=f"{_PATH}/status",
        handler=_status,
        name="getPaymentStatus",
        summary="Get the payment status of the checkout.",
        answer=PaymentStatusEnvelope,
    ),
)
