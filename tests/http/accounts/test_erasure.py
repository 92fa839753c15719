"""An erased account leaves no personal data behind; figures stay, on both databases. Decisions §13."""

import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from faregate.files import load_catalogue
from faregate_http.accounts import erasure
from faregate_http.accounts.erasure import erase_due
from faregate_http.background import keep_house
from faregate_http.checkouts.retention import Retention
from faregate_http.protocol.instants import millis
from faregate_http.protocol.stored_responses import unpack
from faregate_http.store.contract import CheckoutRow
from faregate_http.store.records import AccountRow, OrderRow, PaymentDetailRow
from faregate_http.telemetry import NoTelemetry
from faregate_server.audit.sweep import Sweep
from support.payment.fake_gateway import Act, Plan
from support.payment.registering import DETAILS, body_of
from support.payment.till import CATALOGUE, STRICT, Customer, Shop, database, meal, shop
from support.service.service import data_of
from support.stores.capacity import TABLES, ask
from support.stores.spoiling import sqlite_path

SECRETS = ("Nightingale", "Lindenhof", "Rose Cottage", "Scutari", "florence@example.org", "an-alias")
ADDRESS = {"addressLine1": "Lindenhof 3", "zip": "7000", "city": "Chur", "countryCode": "CH"}
ELSEWHERE = {**ADDRESS, "addressLine1": "Rose Cottage"}
PERSONAL = {"billingAddress": ADDRESS, "shippingAddress": ELSEWHERE, "donation": 2}
PERSON = {"firstName": "Nightingale"}
PERSONS = "/api/accounts/current/persons"
DELETION = "/api/accounts/current/schedule-deletion"
REGISTER = f"{DETAILS}/register"
EMAIL = "florence@example.org"
AT_STRICT = {"service-channel-uuid": STRICT}
SOLD = load_catalogue(CATALOGUE)


@pytest.fixture
def place(till_url: str) -> Iterator[Shop]:
    """Yield a separate shop on each database."""
    with shop(till_url) as opened:
        yield opened


def dump(url: str, *left_out: str) -> str:
    """Return the content of all tables as text, with packed values unpacked."""
    return "\n".join(
        f"{table}: {_text(value)}"
        for table in TABLES
        if table not in left_out
        for row in ask(url, f"SELECT * FROM {table}")
        for value in row
    )


def _text(value: Any) -> str:
    if not isinstance(value, bytes):
        return str(value)
    return (zlib.decompress(value) if value.startswith(b"\x78\x01") else value).decode(errors="replace")


def found_in(url: str, *left_out: str) -> set[str]:
    """Return the secrets found in the tables."""
    text = dump(url, *left_out)
    return {secret for secret in SECRETS if secret in text}


def secrets_in(files: Sequence[Path]) -> set[str]:
    """Return the secrets found in the bytes of *files*."""
    written = b"".join(file.read_bytes() for file in files)
    return {secret for secret in SECRETS if secret.encode() in written}


def entered(place: Shop, customer: Customer, key: str = "k", **headers: str) -> str:
    """Return the path of a checkout with personal data of *customer*, entered under a key."""
    keyed = {**customer.headers, **headers, "idempotency-key": key}
    url = place.opened(meal(1), **keyed)
    answers = {**PERSONAL, **({"hotel": "Scutari", "acceptTerms": True} if headers else {})}
    sent = place.client.post(f"{url}/checkout-conditions", json={"formValues": answers}, headers=keyed)
    data_of(sent)
    return url


def florence(place: Shop, method: str = "VIS") -> Customer:
    """Return a customer with much personal data, whose account is to be erased in 30 days."""
    customer = place.customer(PERSON, method=method)
    [account] = place.rows(AccountRow, id=customer.account)
    named = account._replace(revision=account.revision + 1, email=EMAIL)
    place.call(place.services.store.save, None, records=[named])
    keyed = {**customer.headers, "idempotency-key": "k"}
    data_of(place.client.post(PERSONS, json={"values": {"firstName": "Nightingale"}}, headers=keyed))
    data_of(place.client.post(REGISTER, json=body_of(), headers=keyed))
    data_of(place.client.post(DELETION, headers=keyed))
    return customer


def end_of_term(place: Shop) -> None:
    """Let the accounts fall due, after all tickets were issued."""
    while place.issue():
        pass
    place.clock.turn(days=30)


def erase_all(place: Shop) -> int:
    """Run the erasure of the housekeeping, and return how many accounts are gone."""
    gone: int = place.call(erase_due, place.services.store, place.clock.now)
    return gone


def inputs_of(url: str) -> list[Any]:
    return ask(url, "SELECT inputs, revision, changed_at FROM checkouts ORDER BY id")


def test_no_trace_of_a_person_remains(place: Shop, till_url: str) -> None:
    customer = florence(place, method="ECA")
    paid = entered(place, customer, "paid", **AT_STRICT)
    data_of(place.pay(paid, 22, {**customer.headers, **AT_STRICT}))
    end_of_term(place)
    place.clock.turn(minutes=-50)
    again = place.token(customer)
    for number in range(3):
        entered(place, customer._replace(headers=again), f"k-{number}")
    entered(place, customer._replace(headers=again), "s", **AT_STRICT)
    place.clock.turn(minutes=50)
    before = found_in(till_url)
    assert erase_all(place) == 1

    assert before == set(SECRETS)
    assert found_in(till_url) == set()
    assert ask(till_url, "SELECT count(*) FROM checkouts GROUP BY is_closed ORDER BY 1") == [(1,), (4,)]
    assert ask(till_url, "SELECT * FROM answers") == []
    assert erase_all(place) == 0
    assert [*Sweep(till_url, catalogue=SOLD)] == []


def test_an_order_loses_only_personal_data_in_every_language(place: Shop) -> None:
    customer = florence(place, method="ECA")
    url = entered(place, customer, **AT_STRICT)
    data_of(place.pay(url, 22, {**customer.headers, **AT_STRICT}))
    [before] = place.rows(OrderRow)
    end_of_term(place)

    erase_all(place)

    [after] = place.rows(OrderRow)
    assert after._replace(revision=1, figures="", views=b"") == before._replace(figures="", views=b"")
    shown, blank = unpack(before.views), unpack(after.views)
    assert [*blank] == [*shown]
    assert after.figures.encode() == blank["en"]
    for language, body in shown.items():
        expected = json.loads(body)["data"]
        assert expected["checkoutConditions"]["values"]["hotel"] == "Scutari"
        expected["checkoutConditions"]["values"] = {"acceptTerms": True, "donation": 2}
        expected |= {"billingAddress": None, "shippingAddress": None}
        assert json.loads(blank[language])["data"] == expected


def test_many_orders_are_blanked_once_each(
    place: Shop, till_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "_AT_ONCE", 3)
    customer = florence(place)
    for number in range(7):
        data_of(place.pay(entered(place, customer, f"k-{number}"), 22, customer.headers))
    place.gateway.plans.append(Plan.AUTHORIZE)  # for another round
    data_of(place.pay(entered(place, customer, "last"), 22, customer.headers))
    end_of_term(place)

    assert erase_all(place) == 0

    assert found_in(till_url) == {"an-alias"}
    place.work()
    assert erase_all(place) == 1
    assert {row.revision for row in place.rows(OrderRow)} == {2}


def test_an_order_changed_during_erasure_is_blanked_in_the_next_round(
    place: Shop, till_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    customer = florence(place)
    data_of(place.pay(entered(place, customer), 22, customer.headers))
    end_of_term(place)
    store = place.services.store
    found = store.checkout

    async def overtaken(checkout_id: str) -> CheckoutRow | None:
        row = await found(checkout_id)
        assert row is not None
        await store.save(row._replace(revision=row.revision + 1))
        return row

    with monkeypatch.context() as patched:
        patched.setattr(store, "checkout", overtaken)
        first = erase_all(place)

    assert (first, erase_all(place)) == (0, 1)
    assert found_in(till_url) == set()


def test_the_sqlite_files_keep_no_trace(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as url, shop(url) as place:
        files = [file := sqlite_path(url), file.with_name(f"{file.name}-wal")]
        customer = florence(place)
        entered(place, customer)
        data_of(place.pay(entered(place, customer, "paid"), 22, customer.headers))
        before = secrets_in(files)
        end_of_term(place)

        place.call(keep_house, place.services, Retention(place.services.store), NoTelemetry())
        place.call(place.services.store.truncate_log)

        assert before == set(SECRETS) - {"Scutari"}
        assert secrets_in(files) == set()
        assert files[1].stat().st_size == 0


def test_data_of_other_accounts_is_kept(place: Shop, till_url: str) -> None:
    customer, other = florence(place), place.customer()
    end_of_term(place)
    fresh = other._replace(headers=place.token(other))
    entered(place, fresh)
    place.opened(meal(1), **{"idempotency-key": "k"})
    before = inputs_of(till_url), ask(till_url, "SELECT * FROM answers ORDER BY scope")

    assert erase_all(place) == 1

    gone = (f"account {customer.account} ", f"{customer.account} ")
    kept = [row for row in before[1] if not row[0].startswith(gone)]
    assert (inputs_of(till_url), ask(till_url, "SELECT * FROM answers ORDER BY scope")) == (before[0], kept)
    assert (len(before[1]), len(kept)) == (6, 3)


def paying_at_end_of_term(place: Shop) -> tuple[Customer, str]:
    """Return a customer whose payment waits when the account is due for erasure, and the checkout's path."""
    customer = florence(place)
    end_of_term(place)
    place.clock.turn(minutes=-5)
    again = customer._replace(headers=place.token(customer))
    url = entered(place, again)
    place.gateway.plans.append(Plan.WAIT)
    data_of(place.pay(url, 22, again.headers))
    place.clock.turn(minutes=5)
    return again, url


def test_data_of_a_due_payment_is_erased_once_it_has_ended(place: Shop, till_url: str) -> None:
    again, url = paying_at_end_of_term(place)

    assert [erase_all(place), erase_all(place)] == [0, 0]

    assert [row.alias for row in place.rows(PaymentDetailRow)] == ["an-alias"]
    assert found_in(till_url) == {"Lindenhof", "Rose Cottage", "an-alias"}
    assert place.client.get("/api/accounts/current", headers=again.headers).status_code == 401
    [payment] = place.payments(url)
    place.gateway.confirm(payment.id, Act.DECLINED)
    for _ in range(2):  # once to end it, once to cancel a charge that may still come
        place.clock.turn(seconds=30)
        place.work()
    assert erase_all(place) == 1
    assert found_in(till_url) == set()
    [account] = place.rows(AccountRow)
    assert account.due_at is None


def test_a_payment_that_succeeds_after_the_erasure_leaves_no_address_in_the_account(
    place: Shop, till_url: str
) -> None:
    _, url = paying_at_end_of_term(place)
    assert erase_all(place) == 0

    place.gateway.confirm(place.payments(url)[0].id)
    place.work()
    place.issue()

    assert [row.profile for row in place.rows(AccountRow)] == ["{}"]
    assert len(place.rows(OrderRow)) == 1
    assert erase_all(place) == 1
    assert found_in(till_url) == set()


def test_a_payment_detail_is_kept_until_the_money_is_captured(place: Shop) -> None:
    customer = florence(place)
    url = place.opened(meal(1), **customer.headers)
    place.gateway.plans.append(Plan.AUTHORIZE)
    data_of(place.pay(url, 20, customer.headers))
    end_of_term(place)

    assert erase_all(place) == 0

    assert [row.id for row in place.rows(PaymentDetailRow)] == [customer.detail]
    place.work()
    assert place.gateway.state(place.payments(url)[0].id) is Act.CAPTURED
    assert erase_all(place) == 1
    assert place.rows(PaymentDetailRow) == []


def test_no_payment_data_is_erased_while_too_many_payments_are_due(
    place: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "_MOST_PAYMENTS", 1)
    other, customer = place.customer(), florence(place)
    url = place.opened(meal(1), **other.headers)
    place.gateway.plans.append(Plan.AUTHORIZE)
    data_of(place.pay(url, 20, other.headers))
    end_of_term(place)

    assert erase_all(place) == 0

    assert len(place.rows(PaymentDetailRow, account=customer.account)) == 2
    place.work()
    assert erase_all(place) == 1


def test_a_checkout_changed_during_erasure_is_blanked_in_the_next_round(
    place: Shop, till_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    customer = florence(place)
    entered(place, customer)
    end_of_term(place)
    store = place.services.store
    found = store.checkouts_of

    async def overtaken(account: int, *, after: str = "", limit: int = 100) -> Sequence[CheckoutRow]:
        rows = await found(account, after=after, limit=limit)
        for row in rows:
            await store.save(row._replace(revision=row.revision + 1))
        return rows

    with monkeypatch.context() as patched:
        patched.setattr(store, "checkouts_of", overtaken)
        first = erase_all(place)

    assert (first, erase_all(place)) == (0, 1)
    assert found_in(till_url) == set()


def test_erasure_continues_after_a_crash(place: Shop, till_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    customer = florence(place)
    entered(place, customer)
    end_of_term(place)

    async def dies(_owner: str) -> int:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(place.services.store, "forget_answers", dies)
        with pytest.raises(RuntimeError, match="killed"):
            erase_all(place)
    [half] = place.rows(AccountRow)
    place.clock.turn(minutes=1)

    assert erase_all(place) == 1

    [whole] = place.rows(AccountRow)
    assert (half.subject, half.email) == (None, "")
    assert (whole.deleted_at, whole.due_at) == (half.deleted_at, None)
    assert found_in(till_url) == set()


def test_a_waiting_account_moves_behind_those_already_due(place: Shop) -> None:
    waiting = florence(place)
    url = place.opened(meal(1), **waiting.headers)
    place.gateway.plans.append(Plan.AUTHORIZE)
    data_of(place.pay(url, 20, waiting.headers))
    end_of_term(place)
    place.clock.turn(minutes=5)

    assert erase_all(place) == 0

    [account] = place.rows(AccountRow)
    assert account.due_at == millis(place.clock.now)


def test_a_restored_account_keeps_everything(place: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    customer = florence(place)
    end_of_term(place)
    store = place.services.store
    due = store.due

    async def due_and_restored(kind: Any, at: int, **named: Any) -> Any:
        rows = await due(kind, at, **named)
        await store.save(None, records=[row._replace(revision=row.revision + 1, due_at=None) for row in rows])
        return rows

    with monkeypatch.context() as patched:
        patched.setattr(store, "due", due_and_restored)
        gone = erase_all(place)

    assert gone == 0
    assert len(place.rows(PaymentDetailRow, account=customer.account)) == 2
