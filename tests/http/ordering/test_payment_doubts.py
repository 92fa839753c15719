"""Payments with an uncertain result: no response claims or shows too much."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from faregate.checkout.changes import bind_account
from faregate.checkout.model import Address
from faregate_http.checkouts.records import record_of, row_of
from faregate_http.payment.gateway import Charge, ChargeResult, Outcome
from faregate_http.store.contract import (
    Stale,
    Store,
    StoreUnavailable,
)
from faregate_http.store.records import AccountRow, PaymentRow, Record
from support.payment.audit import Books
from support.payment.counter import waiting
from support.payment.fake_gateway import FakeGateway, Plan
from support.payment.till import Customer, Scene, Shop, meal, play
from support.service.customers import logged_in, serving_accounts
from support.service.identity_provider import Provider
from support.service.service import Clock, data_of, day_ticket, new_url
from support.stores.wrapped_store import Save, WrappedStore


class MoodyStore(WrappedStore):
    """Store that raises ``error`` if it is set, optionally only for saves with records of ``kind``."""

    def __init__(self, inner: Store, kind: type[Record] | None = None) -> None:
        super().__init__(inner)
        self.error: Exception | None = None
        self.kind = kind

    async def keep(self, save: Save) -> None:
        is_meant = self.kind is None or any(isinstance(record, self.kind) for record in save.records)
        if self.error is not None and is_meant:
            raise self.error
        await super().keep(save)


def test_a_store_failure_after_the_charge_leaves_the_payment_unclear(
    till_url: str,
) -> None:
    gateway, stores = FakeGateway(), list[MoodyStore]()

    def wrap(store: Store) -> Store:
        stores.append(MoodyStore(store))
        return stores[-1]

    async def fail(call: str, _charge: Charge) -> None:
        if call == "authorize":
            stores[0].error = StoreUnavailable("the disk is full")

    async def behaviour(scene: Scene) -> Books:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(meal(1), headers=customer.headers)
        gateway.after = fail

        unclear = await scene.branch(0).pay(path, 20, customer.headers)

        assert (unclear.status_code, unclear.json()["code"]) == (503, "payment-unclear")
        assert "nothing was changed" not in unclear.text
        stores[0].error = None
        return await scene.settle_up()

    books = play(till_url, behaviour, gateway=gateway, wrap=wrap)

    assert [payment.status for payment in books.payments] == ["SETTLED"]
    assert [order.total for order in books.orders] == [2000]


def test_a_response_that_cannot_be_stored_is_still_sent(till_url: str) -> None:
    class ForgetfulStore(WrappedStore):
        """Store that loses responses saved by themselves."""

        async def keep(self, save: Save) -> None:
            if save.row is None and save.answer is not None:
                raise StoreUnavailable("the disk is full")
            await super().keep(save)

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(meal(1), headers=customer.headers)
        headers = {**customer.headers, "idempotency-key": "k"}

        answers = [await scene.branch(0).pay(path, 20, headers) for _ in range(2)]

        assert [data_of(answer)["status"] for answer in answers] == ["CLOSED", "CLOSED"]
        await scene.settle_up()

    play(till_url, behaviour, wrap=ForgetfulStore)


def test_a_success_settled_by_another_process_is_reported_as_success(till_url: str) -> None:
    gateway = FakeGateway()
    gateway.plans.append(Plan.FAIL_AFTER)

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(meal(1), headers=customer.headers)
        asked: list[str] = []

        async def inquire(call: str, _charge: Charge) -> None:
            """Advance the clock, as if another process were ahead."""
            if call == "authorize" and not asked:
                asked.append(call)
                scene.clock.turn(seconds=21)
                await scene.branch(1).services.payments.work()

        gateway.after = inquire

        paid = await scene.branch(0).pay(path, 20, customer.headers)

        assert data_of(paid)["status"] == "CLOSED"
        await scene.settle_up()

    play(till_url, behaviour, gateway=gateway)


@pytest.mark.parametrize("provider", ["GATEWAY", "ON_SITE"])
def test_failing_to_save_an_address_does_not_stop_the_settlement(till_url: str, provider: str) -> None:
    gateway, stores = FakeGateway(), list[MoodyStore]()
    home = {"addressLine1": "Dorfstrasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}

    def wrap(store: Store) -> Store:
        stores.append(MoodyStore(store, kind=AccountRow))
        return stores[-1]

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        branch = scene.branch(0)
        path = await branch.opened(meal(1), headers=customer.headers)
        body = {"formValues": {"billingAddress": home}}
        await branch.client.post(f"{path}/checkout-conditions", json=body, headers=customer.headers)
        stores[0].error = Stale(customer.account, 2)

        paid = data_of(await branch.pay(path, 20, customer.headers, provider=provider))

        assert (paid["status"], paid["billingAddress"]["city"]) == ("CLOSED", "Chur")
        stores[0].error = None
        await scene.settle_up()

    play(till_url, behaviour, gateway=gateway, wrap=wrap)


@pytest.mark.parametrize("answer", [True, False])
def test_consent_to_the_newsletter_is_kept_with_the_account(
    tmp_path: Path, provider: Provider, answer: bool
) -> None:
    with serving_accounts(tmp_path, provider, clock=Clock()) as client:
        headers = logged_in(client, provider.token(sub="subject"))
        url = new_url()
        data_of(client.post(f"{url}/items", json={"items": [day_ticket(1)]}, headers=headers))
        values = {"formValues": {"acceptTerms": True, "newsletter": answer}}
        data_of(client.post(f"{url}/checkout-conditions", json=values, headers=headers))
        data_of(client.post(f"{url}/vouchers", json={"voucherCode": "GIFT-100"}, headers=headers))
        total = float(data_of(client.get(url, headers=headers))["totalGross"])
        account = data_of(client.get("/api/accounts/current", headers=headers))
        assert account["metaInformation"]["acceptedNewsletter"] is False

        paid = client.post(f"{url}/payment", json={"expectedTotal": total}, headers=headers)

        assert data_of(paid)["status"] == "CLOSED"
        account = data_of(client.get("/api/accounts/current", headers=headers))
        assert account["metaInformation"]["acceptedNewsletter"] is answer


@pytest.mark.slow
def test_captures_that_fail_are_retried_at_growing_intervals(
    till: Shop, customer: Customer, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[Any] = []

    async def decline(_charge: Charge) -> ChargeResult:
        attempts.append(till.clock.now)
        return ChargeResult(Outcome.DECLINED)

    till.gateway.plans.append(Plan.AUTHORIZE)
    url = till.opened(meal(1), **customer.headers)
    assert data_of(till.pay(url, 20, customer.headers))["status"] == "CLOSED"
    with monkeypatch.context() as patched:
        patched.setattr(till.gateway, "capture", decline)
        for _ in range(24 * 60):
            till.clock.turn(minutes=1)
            till.work()

    gaps = [(later - earlier).total_seconds() / 60 for earlier, later in pairwise(attempts)]
    assert gaps == sorted(gaps)
    assert gaps[-1] == 60
    assert len(attempts) < 60
    till.clock.turn(hours=2)
    till.work()
    assert till.status(url, till.token(customer))["status"] == "SETTLED"


def test_a_checkout_bound_during_the_request_is_not_shown_to_others(till: Shop, customer: Customer) -> None:
    url = till.opened(meal(1))
    store, checkout_id = till.services.store, url.rpartition("/")[2]
    secret = Address(
        address_line1="Geheimweg 1",
        address_line2=None,
        zip="7000",
        city="Chur",
        state=None,
        country_code="CH",
    )

    async def bind() -> None:
        """Bind the checkout, as another process would."""
        row = await store.checkout(checkout_id)
        assert row is not None
        record = record_of(row, till.clock(), catalogue=till.services.catalogue)
        bound = bind_account(record.checkout, customer.account)
        bound = replace(bound, conditions=replace(bound.conditions, billing_address=secret))
        await store.save(row_of(record._replace(checkout=bound, revision=row.revision + 1)))

    read_head = store.head

    async def head(asked: str) -> Any:
        found = await read_head(asked)
        await bind()
        return found

    till.client.headers["accept-language"] = "de"  # without a cached response
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store, "head", head)
        seen = till.client.get(url)

    assert (seen.status_code, seen.json()["code"]) == (404, "unknown-checkout")
    assert "Geheimweg" not in seen.text


def test_the_same_etag_means_the_same_method_while_it_is_paid(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)
    before = till.client.get(url, headers=customer.headers)
    method = data_of(before)["paymentMethod"]
    assert method["isDefault"]

    path = f"/api/payments/payment-details/{method['id']}/default"
    assert till.client.delete(path, headers=customer.headers).status_code == 200
    after = till.client.get(url, headers=customer.headers)

    assert not data_of(after)["paymentMethod"]["isDefault"]
    assert after.headers["etag"] != before.headers["etag"]
    [payment] = till.rows(PaymentRow, checkout_id=url.rpartition("/")[2])
    till.gateway.confirm(payment.id)
    till.clock.turn(seconds=30)
    till.work()
