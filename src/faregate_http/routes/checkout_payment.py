"""Paying a checkout, and how its payment stands. Decisions §11.1, §12."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from faregate.checkout.paying import PaymentProvider, Tender, payment_way
from faregate.errors import InvalidAmount, InvalidCheckout
from faregate.money.amounts import parse_minor_units
from faregate.money.currency import currency
from faregate_http.operations import Operation
from faregate_http.ordering.order_access import SECRET_HEADER
from faregate_http.payment.rows import Instructions, as_of, cash_due_of, errors_of, vouchers_of
from faregate_http.protocol.numbers import major_units
from faregate_http.protocol.problem_texts import payment_error
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.protocol.responses import NO_STORE, json_response
from faregate_http.schemas.checkout import CheckoutEnvelope
from faregate_http.schemas.payment_status import (
    PayBody,
    PaymentState,
    PaymentStatusEnvelope,
    PaymentStatusView,
    PaymentStatusWithVouchersView,
    ProviderMethodView,
    ProviderType,
    ProviderView,
)
from faregate_http.store.records import PaymentRow

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from enum import Enum

    from faregate.checkout.paying import PaymentWay
    from faregate.checkout.priced import PricedCheckout
    from faregate.money.amounts import MinorUnits
    from faregate_http.protocol.requests import Request
    from faregate_http.protocol.responses import Response
    from faregate_http.services import Services
    from faregate_http.store.records import PaymentDetailRow

_Option = TypeVar("_Option", bound="Enum")

_PATH = "/api/checkout/{checkoutId}/payment"

# ---------------------------------------------------------------- paying


async def _pay(request: Request, services: Services) -> Response:
    body = await request.model(PayBody)
    way = partial(
        payment_way,
        channel=request.channel,
        provider=_member(PaymentProvider, body.provider, "provider"),
        tender=_member(Tender, body.tender, "tender"),
        has_detail=body.payment_detail_id is not None,
    )
    expected_total = _expected_total(body, request.channel.currency)
    response = await services.payments.pay(
        request, expected_total, partial(_instructions, way, body, request, services)
    )
    return _with_order_secret(response, request, services)


def _member(kind: type[_Option], text: str | None, field: str) -> _Option | None:
    """Return the member of *kind* that *text* names; None: the request leaves it open.

    Raises:
        Problem: 422, it names none.
    """
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
    way_of: Callable[[int], PaymentWay], body: PayBody, request: Request, services: Services, amount_due: int
) -> Instructions:
    """Return how what is due is paid.

    Raises:
        Problem: 422, not as it was asked for.
    """
    try:
        way = way_of(amount_due)
    except InvalidCheckout as error:
        [issue] = error.issues
        raise _refused(issue.message, f"{issue.loc[0]}") from None
    detail = None
    if way.provider is PaymentProvider.GATEWAY:
        detail = await _detail(body, request, services)
    return Instructions(way, detail)


async def _detail(body: PayBody, request: Request, services: Services) -> PaymentDetailRow:
    detail_id = body.payment_detail_id
    detail = None
    if request.account is not None:
        detail = await services.payment_details.usable(request.account.id, detail_id)
    if detail is None:
        # The same for another account's: whose it is, is nobody's business.
        message = "is missing: the account has no default" if detail_id is None else "can't be paid with"
        raise _refused(message, "paymentDetailId")
    if detail.method not in {method.type.value for method in request.channel.payment_methods}:
        raise _refused(f"{detail.method} is not accepted on this channel", "paymentDetailId")
    return detail


def _refused(message: str, field: str) -> Problem:
    fault = ErrorView(message, pointer=f"/{field}")
    return Problem(422, "invalid-payment", errors=[fault])


def _with_order_secret(response: Response, request: Request, services: Services) -> Response:
    """Return *response* with the secret of the order, which may still be to come, for a guest.

    A checkout that a request without an account pays has none either.
    """
    secret = services.order_secrets.of(request.checkout_id)
    if secret is None or request.account is not None:
        return response
    return response._replace(headers=(*response.headers, (SECRET_HEADER, secret.encode())))


# ---------------------------------------------------------------- the status


async def _status(request: Request, services: Services) -> Response:
    payments = await services.store.find(PaymentRow, checkout_id=request.checkout_id)
    row, priced = await services.checkouts.load(request), None
    if request.account is not None and row.account is None:
        # The first account that asks is given it, which prices it anew.
        priced = (await services.checkouts.show(request)).priced
        row = await services.store.checkout(row.id) or row
    if payments:
        view = _view(payments[-1], request, at=services.clock())
        return json_response(PaymentStatusEnvelope(view), NO_STORE, language=request.language)
    unpaid = _unpaid(priced or services.checkouts.price(row))
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


def _view(
    payment: PaymentRow, request: Request, *, at: datetime
) -> PaymentStatusView | PaymentStatusWithVouchersView:
    amount, state = major_units(currency(payment.currency)), as_of(payment, at)
    vouchers = vouchers_of(payment)
    errors = [payment_error(error, request.language) for error in errors_of(payment)]
    total = amount(payment.amount + sum(paid for _, paid in vouchers))
    cash_due = cash_due_of(payment, request.channel.policy)
    primary = _primary(payment, state, payment.amount if cash_due is None else cash_due)
    in_cash = msgspec.UNSET if cash_due is None else amount(cash_due)
    if not vouchers:
        return PaymentStatusView(state, total, payment.currency, errors, primary, in_cash)
    by_voucher = ProviderMethodView("VOUCHER_B", "voucher")
    secondary = [
        ProviderView(ProviderType.VOUCHER_B, state, by_voucher, amount(paid)) for _, paid in vouchers
    ]
    return PaymentStatusWithVouchersView(state, total, payment.currency, errors, primary, secondary, in_cash)


def _primary(payment: PaymentRow, state: PaymentState, paid: MinorUnits) -> ProviderView | None:
    amount = major_units(currency(payment.currency))(paid)
    match payment.provider:
        case ProviderType.GATEWAY.value:
            provider, method = ProviderType.GATEWAY, ProviderMethodView("GATEWAY", payment.method or "")
        case ProviderType.ON_SITE.value:
            # The specification shows what is paid on site as a voucher of the place.
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
        summary="Pay the checkout: what vouchers leave, through the gateway or on site.",
        answer=CheckoutEnvelope,
        body=PayBody,
        is_extension=True,
        answer_headers={"order-secret": "Without an account: the secret to read the order by."},
    ),
    Operation(
        method="GET",
        path=f"{_PATH}/status",
        handler=_status,
        name="getPaymentStatus",
        summary="How the payment of the checkout stands.",
        answer=PaymentStatusEnvelope,
    ),
)
