"""Shop with the Python client of openapi-generator; print the result as JSON."""

import json
import sys
from time import sleep
from typing import Any
from uuid import UUID, uuid4

import openapi_client as generated
import sandbox

COMMON: dict[str, Any] = {
    "accept_language": generated.Language.EN,
    "service_channel_uuid": sandbox.WEBSHOP,
}
UNDER_WAY = {generated.PaymentState.PENDING, generated.PaymentState.AUTHORIZED}


def log_in(server: str) -> generated.ApiClient:
    client = generated.ApiClient(generated.Configuration(server))
    body = generated.AuthenticateBody(idToken=sandbox.id_token(server))
    response = generated.AccountsApi(client).authenticate_with_http_info(authenticate_body=body, **COMMON)
    client.configuration.access_token = response.headers["access-token"]
    return client


def fill(client: generated.ApiClient, checkout: UUID) -> None:
    body = generated.PersonBody(values=sandbox.PERSON)
    person = generated.AccountsApi(client).add_person(person_body=body, **COMMON).data
    product = generated.ProductsApi(client).get_product("day-ticket", include=["nextAvailability"], **COMMON)
    day = product.data.next_availability
    validity = {"from": day.var_from.isoformat(), "to": day.to.isoformat()}
    blank = dict.fromkeys(["parentItemId", "originatedItemId", "discountCardTypeId"])
    items = [
        {"id": number, "productVariantId": variant, "personId": owner, "validity": validity, **blank}
        for number, variant, owner in ((1, sandbox.ADULT, person.id), (2, sandbox.CHILD, None))
    ]
    api = generated.CheckoutApi(client)
    api.add_items(checkout, add_items_body=generated.AddItemsBody.from_dict({"items": items}), **COMMON)
    for code in sandbox.CODES:
        api.add_code(checkout, voucher_body=generated.VoucherBody(voucherCode=code), **COMMON)
    form = generated.ConditionsBody(formValues=sandbox.ANSWERS)
    api.set_conditions(checkout, conditions_body=form, **COMMON)


def refused(client: generated.ApiClient, checkout: UUID) -> str:
    """Return the problem code for an unknown promo code."""
    body = generated.VoucherBody(voucherCode="NONE")
    try:
        generated.CheckoutApi(client).add_code(checkout, voucher_body=body, **COMMON)
    except generated.ApiException as refusal:
        problem = refusal.data
        assert isinstance(problem, generated.Problem)
        assert problem.code == "unknown-code"
        return str(problem.code)
    raise AssertionError("not refused")


def pay(client: generated.ApiClient, checkout: UUID) -> Any:
    body = generated.RegisterPaymentDetailBody(
        redirectUrls=generated.RedirectUrlsEntry(**sandbox.PAGES),
        isDefault=False,
        paymentMethods=["VIS"],
        checkoutId=checkout,
    )
    payments, api = generated.PaymentsApi(client), generated.CheckoutApi(client)
    begun = payments.register_payment_detail(register_payment_detail_body=body, **COMMON)
    sandbox.register_card(begun.data.redirect_url)
    total = api.get_checkout(checkout, **COMMON).data.total_gross
    api.pay_checkout(checkout, pay_body=generated.PayBody(expectedTotal=total), **COMMON)
    while (status := api.get_payment_status(checkout, **COMMON).data).status in UNDER_WAY:
        sleep(0.1)
    return status


def main(server: str) -> None:
    checkout, client = uuid4(), log_in(server)
    fill(client, checkout)
    code = refused(client, checkout)
    payment = pay(client, checkout)
    orders = generated.OrdersApi(client)
    while not (order := orders.get_order(checkout, **COMMON).data).is_complete:
        sleep(0.1)
    notices = orders.get_order_notices(checkout, **COMMON).data.notices
    told = {
        "refused": code,
        "payment": payment.status.value,
        "vouchers": [voucher.amount for voucher in payment.secondary_payment_providers],
        "serials": [item.ticket.serial for item in order.items],
        "notices": [notice.type.value for notice in notices],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
