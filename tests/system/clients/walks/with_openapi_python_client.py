"""Shop with the client of openapi-python-client; print the result as JSON."""

import json
import sys
from time import sleep
from typing import Any
from uuid import UUID, uuid4

import sandbox
from faregate_client import AuthenticatedClient, Client, models
from faregate_client.api.accounts import add_person, authenticate
from faregate_client.api.checkout import (
    add_code,
    add_items,
    get_checkout,
    get_payment_status,
    pay_checkout,
    set_conditions,
)
from faregate_client.api.orders import get_order, get_order_notices
from faregate_client.api.payments import register_payment_detail
from faregate_client.api.products import get_product
from faregate_client.types import Unset

Status = models.PaymentState


def answered(operation: Any, *path: object, client: Client | AuthenticatedClient, **content: Any) -> Any:
    """Call an operation and return its response without the envelope."""
    common = {"service_channel_uuid": sandbox.WEBSHOP, "accept_language": models.Language.EN}
    found = operation.sync(*path, client=client, **common, **content)
    assert not isinstance(found, models.Problem), found
    return found.data


def log_in(server: str) -> AuthenticatedClient:
    response = authenticate.sync_detailed(
        client=Client(server),
        body=models.AuthenticateBody(sandbox.id_token(server)),
        service_channel_uuid=sandbox.WEBSHOP,
        accept_language=models.Language.EN,
    )
    return AuthenticatedClient(server, response.headers["access-token"])


def fill(client: AuthenticatedClient, checkout: UUID) -> None:
    values = models.PersonBodyValues.from_dict(sandbox.PERSON)
    person: models.Person = answered(add_person, client=client, body=models.PersonBody(values))
    product: models.Product = answered(
        get_product, "day-ticket", client=client, include=[models.GetProductIncludeItem.NEXTAVAILABILITY]
    )
    day = product.next_availability
    assert isinstance(day, models.NextAvailability)
    validity = models.ValidityEntry(day.from_.isoformat(), day.to.isoformat())
    items = [
        models.ItemEntry(number, variant, owner, validity, None, None, None)
        for number, variant, owner in ((1, sandbox.ADULT, person.id), (2, sandbox.CHILD, None))
    ]
    answered(add_items, checkout, client=client, body=models.AddItemsBody(items))
    for code in sandbox.CODES:
        answered(add_code, checkout, client=client, body=models.VoucherBody(code))
    form = models.ConditionsBodyFormValues.from_dict(sandbox.ANSWERS)
    answered(set_conditions, checkout, client=client, body=models.ConditionsBody(form))


def refused(client: AuthenticatedClient, checkout: UUID) -> str:
    """Return the problem code for an unknown promo code."""
    problem = add_code.sync(
        checkout,
        client=client,
        body=models.VoucherBody("NONE"),
        service_channel_uuid=sandbox.WEBSHOP,
        accept_language=models.Language.EN,
    )
    assert isinstance(problem, models.Problem)
    assert problem.code == "unknown-code"
    return problem.code


def pay(client: AuthenticatedClient, checkout: UUID) -> models.PaymentStatus:
    body = models.RegisterPaymentDetailBody(
        redirect_urls=models.RedirectUrlsEntry(**sandbox.PAGES),
        is_default=False,
        payment_methods=[models.RegisterPaymentDetailBodyPaymentMethodsItem.VIS],
        checkout_id=checkout,
    )
    registration: models.Registration = answered(register_payment_detail, client=client, body=body)
    sandbox.register_card(registration.redirect_url)
    priced: models.Checkout = answered(get_checkout, checkout, client=client)
    answered(pay_checkout, checkout, client=client, body=models.PayBody(priced.total_gross))
    while (status := answered(get_payment_status, checkout, client=client)).status in {
        Status.PENDING,
        Status.AUTHORIZED,
    }:
        sleep(0.1)
    assert isinstance(status, models.PaymentStatus)
    return status


def main(server: str) -> None:
    checkout, client = uuid4(), log_in(server)
    fill(client, checkout)
    code = refused(client, checkout)
    payment = pay(client, checkout)
    order: models.Order
    while not (order := answered(get_order, checkout, client=client)).is_complete:
        sleep(0.1)
    notices: models.OrderNotices = answered(get_order_notices, checkout, client=client)
    vouchers = payment.secondary_payment_providers
    assert not isinstance(vouchers, Unset)
    told = {
        "refused": code,
        "payment": payment.status.value,
        "vouchers": [voucher.amount for voucher in vouchers],
        "serials": [item.ticket.serial for item in order.items],
        "notices": [notice.type_.value for notice in notices.notices],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
