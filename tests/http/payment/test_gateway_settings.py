"""Default gateways: the sandbox where configured, otherwise one that takes no money."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from faregate_http.payment.gateway import (
    Charge,
    GatewayNotConfigured,
    NoGateway,
    PaymentGateway,
    Registration,
)
from faregate_http.payment.gateway import GatewayUnavailable as Unavailable
from faregate_server.settings import Settings
from support.payment.registering import PAGES, Customer, paying
from support.service.service import answer, day_ticket, open_checkout, running

PROVIDER: dict[str, Any] = {
    "identity_issuer": "https://login.example",
    "identity_audience": "tickets",
    "token_secret": "-" * 32,
}


@pytest.mark.parametrize(
    ("settings", "has_sandbox"),
    [
        ({}, True),
        ({"sandbox": True}, True),
        ({"is_development": True}, True),
        (PROVIDER, False),
        ({**PROVIDER, "sandbox": True}, True),
        ({"token_secret": "-" * 32}, True),
    ],
)
def test_the_sandbox_is_on_if_enabled_or_if_nobody_can_log_in(
    tmp_path: Path, settings: dict[str, Any], has_sandbox: bool
) -> None:
    assert Settings(**settings).has_sandbox == has_sandbox
    with running(tmp_path, **settings) as client:
        page = client.get(f"{PAGES}/{'0' * 32}")

    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html") == has_sandbox


def test_without_a_gateway_nothing_is_registered(tmp_path: Path) -> None:
    with paying(tmp_path, sandbox=False) as client:
        customer = Customer.new(client)
        answers = [customer.post(), customer.post(**{"idempotency-key": "once"})]

        assert customer.listed() == []
    for refused in answers:
        assert (refused.status_code, refused.json()["code"]) == (503, "gateway-not-configured")
        assert "retry-after" not in refused.headers


def test_a_refusal_without_a_gateway_is_not_stored(tmp_path: Path) -> None:
    key = {"idempotency-key": "once"}
    with paying(tmp_path, sandbox=False) as client:
        customer = Customer.new(client)
        customer.post(**key)
    with paying(tmp_path) as client:
        again = Customer(client, customer.account).post(**key)

    assert again.status_code == 200


def test_a_sandbox_payment_detail_pays_nothing_without_the_sandbox(tmp_path: Path) -> None:
    with paying(tmp_path) as client:
        customer = Customer.new(client)
        customer.activate(isDefault=True)
    with paying(tmp_path, sandbox=False) as client:
        customer = Customer(client, customer.account)
        client.headers.update(customer.headers)
        url, _ = open_checkout(client, day_ticket(1))
        total = float(answer(client, url, acceptTerms=True)["totalGross"])
        refused = client.post(f"{url}/payment", json={"expectedTotal": total, "provider": "GATEWAY"})
        status = client.get(f"{url}/payment/status").json()["data"]["status"]
        shown = client.get(url).json()["data"]

    assert (refused.status_code, refused.json()["code"]) == (503, "gateway-unavailable")
    assert (shown["status"], status) == ("OPEN", "FAILED")


CHARGE = Charge("1", amount=4950, currency="CHF", method="VIS", alias="an-alias")
REGISTRATION = Registration("1", ("VIS",), "en", "https://tickets.example", "", "", "", "secret")


@pytest.mark.parametrize("call", ["register", "authorize", "inquire", "capture", "cancel"])
def test_every_call_without_a_gateway_is_refused(call: str) -> None:
    gateway: PaymentGateway = NoGateway()

    with pytest.raises(GatewayNotConfigured) as refused:
        asyncio.run(getattr(gateway, call)(REGISTRATION if call == "register" else CHARGE))

    assert isinstance(refused.value, Unavailable)
