"""The sandbox page: its content, its links, and that it ends a registration exactly once."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate.translations import LANGUAGES
from faregate_http.store.contract import StoreUnavailable
from faregate_server.demo.sandbox.texts import TEXTS
from faregate_server.store.sqlite.store import SqliteStore
from support.payment.registering import FORM, PAGES, SHOP, Customer, Page, body_of, page_of, paying, submit
from support.service.raw_requests import ask_in_vain
from support.service.service import Clock, data_of


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Clock]]:
    clock = Clock()
    with paying(tmp_path_factory.mktemp("sandbox"), clock=clock) as client:
        yield client, clock


@pytest.fixture
def customer(client: TestClient) -> Customer:
    return Customer.new(client)


def test_the_page_offers_the_requested_methods(customer: Customer) -> None:
    page = page_of(customer.client, customer.register(paymentMethods=["TWI", "PFC"]))

    assert page.choices["method"] == ["TWI", "PFC"]
    assert page.fields["method"] == "TWI"
    assert page.choices["instrument"] == ["pays", "reserves", "declines", "waits", "confirms"]
    assert page.fields["instrument"] == "pays"
    assert page.buttons == ["succeed", "decline", "cancel"]
    assert "TWINT" in page.texts
    assert "PostFinance Card" in page.texts


@pytest.mark.parametrize(("is_default", "said"), [(True, "yes"), (False, "no")])
def test_the_page_shows_the_registration(customer: Customer, is_default: bool, said: str) -> None:
    transaction = customer.register(isDefault=is_default)

    page = page_of(customer.client, transaction)

    assert customer.one(transaction)["refno"] in page.texts
    assert page.texts[page.texts.index("Use as default") + 1] == said
    assert page.texts[page.texts.index("Open until") + 1] == "2026-12-01 09:00 UTC"


def test_the_page_reveals_neither_account_nor_shop(customer: Customer) -> None:
    page = customer.client.get(customer.page(customer.register())).text

    assert str(customer.account) not in page
    assert SHOP not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_the_language_of_the_registration(customer: Customer, language: str) -> None:
    answered = data_of(customer.post(**{"accept-language": f"{language}-CH"}))

    response = customer.client.get(
        customer.page(answered["transactionId"]), headers={"accept-language": "it, fr"}
    )

    page = Page(response.text)
    assert page.language == response.headers["content-language"] == language
    assert TEXTS[language].title in page.texts
    assert TEXTS[language].instruments["waits"] in page.texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_available_in_other_languages(customer: Customer, language: str) -> None:
    transaction = customer.register()

    page = page_of(customer.client, transaction, language=language)

    others = [other for other in LANGUAGES if other != language]
    assert page.language == language
    assert page.links == [f"{customer.page(transaction)}?language={other}" for other in others]
    assert page.action == f"{customer.page(transaction)}?language={language}"
    assert TEXTS[language].succeed in page.texts


@pytest.mark.parametrize("named", ["", "xx", "EN", "de&language=xx", "<script>", "../de"])
def test_an_unknown_language_falls_back_to_that_of_the_registration(customer: Customer, named: str) -> None:
    answered = data_of(customer.post(**{"accept-language": "fr"}))

    response = customer.client.get(f"{customer.page(answered['transactionId'])}?language={named}")

    assert response.status_code == 200
    assert Page(response.text).language == "fr"


def test_every_language_has_every_text() -> None:
    for language, texts in TEXTS.items():
        assert all(texts), language
        assert [*texts.instruments] == [*TEXTS["en"].instruments]
        assert [*texts.endings] == [*TEXTS["en"].endings]
    assert tuple(TEXTS) == LANGUAGES


def test_every_choice_has_a_label_and_every_group_a_legend(customer: Customer) -> None:
    text = customer.client.get(customer.page(customer.register(paymentMethods=["VIS", "TWI"]))).text

    assert len(re.findall(r'<label><input type="radio"[^>]*>[^<]+</label>', text)) == 7
    assert re.findall(r"<fieldset><legend>([^<]+)</legend>", text) == [
        "Method",
        "Result of the test payment",
    ]
    assert len(re.findall(r"<h1>", text)) == 1
    assert '<nav aria-label="Language">' in text


@pytest.mark.parametrize("state", ["open", "ended", "unknown", "faulty"])
def test_the_page_loads_nothing_and_cannot_be_framed_or_stored(customer: Customer, state: str) -> None:
    transaction = customer.register()
    if state == "ended":
        submit(customer.client, transaction)
    url = f"{PAGES}/{'0' * 32}" if state == "unknown" else customer.page(transaction)
    response = customer.client.post(url) if state == "faulty" else customer.client.get(url)

    headers = response.headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["x-content-type-options"] == "nosniff"
    assert (policy["default-src"], policy["base-uri"], policy["frame-ancestors"]) == ("'none'",) * 3
    assert policy["img-src"] == "data:"
    assert policy["form-action"].startswith("'self'")
    assert "script-src" not in policy
    assert "unsafe" not in headers["content-security-policy"]
    assert not re.search(r"<script|\son\w+=|\sstyle=|src=|@import|url\(", response.text)


def test_the_policy_names_the_shops_that_the_form_redirects_to(customer: Customer) -> None:
    pages = {
        "success": "http://localhost:3000/thanks?a=1",
        "error": "https://shop.example/error",
        "cancel": "https://shop.example/",
    }

    response = customer.client.get(customer.page(customer.register(redirectUrls=pages)))

    assert (
        "form-action 'self' http://localhost:3000 https://shop.example;"
        in response.headers["content-security-policy"]
    )


def test_urls_of_a_shop_are_escaped(customer: Customer) -> None:
    page = f"{SHOP}?a='&b=2&amp;"
    transaction = customer.register(redirectUrls={"success": page, "error": page, "cancel": page})
    submit(customer.client, transaction, "decline")

    ended = customer.client.get(customer.page(transaction))

    assert f"a=&#x27;&amp;b=2&amp;amp;&amp;transactionId={transaction}" in ended.text
    assert Page(ended.text).links[-1] == f"{page}&transactionId={transaction}"


ENDINGS = [
    ("succeed", "success", "ACTIVE", "The payment method was added."),
    ("decline", "error", "DECLINED", "The payment method was declined."),
    ("cancel", "cancel", "DECLINED", "Adding the payment method was cancelled."),
]


@pytest.mark.parametrize(("action", "page", "status", "said"), ENDINGS)
def test_a_form_redirects_to_the_shop(
    customer: Customer, action: str, page: str, status: str, said: str
) -> None:
    transaction = customer.register()

    response = submit(customer.client, transaction, action)

    assert response.status_code == 303
    assert response.headers["location"] == f"{SHOP}/{page}?transactionId={transaction}"
    assert response.headers["cache-control"] == "no-store"
    assert response.content == b""
    assert customer.one(transaction)["status"] == status


@pytest.mark.parametrize(("action", "page", "status", "said"), ENDINGS)
def test_the_result_is_shown_afterwards(
    customer: Customer, action: str, page: str, status: str, said: str
) -> None:
    transaction = customer.register()
    fields = {**page_of(customer.client, transaction).fields, "action": action}
    submit(customer.client, transaction, action)

    again = customer.client.get(customer.page(transaction))
    posted = [
        customer.client.post(customer.page(transaction), data={**fields, "action": other})
        for other in ("succeed", "decline", "cancel")
    ]

    assert again.status_code == 200
    assert [response.status_code for response in posted] == [409] * 3
    assert {response.text for response in posted} == {again.text}
    shown = Page(again.text)
    assert said in shown.texts
    assert shown.buttons == []
    assert shown.links[-1] == f"{SHOP}/{page}?transactionId={transaction}"
    assert customer.one(transaction)["status"] == status


def test_an_expired_registration_is_shown_as_expired(customer: Customer, clock: Clock) -> None:
    transaction = customer.register()
    fields = {**page_of(customer.client, transaction).fields, "action": "succeed"}
    clock.turn(minutes=30)

    shown = page_of(customer.client, transaction)
    posted = customer.client.post(customer.page(transaction), data=fields)

    assert "This page has expired." in shown.texts
    assert shown.links[-1] == f"{SHOP}/error?transactionId={transaction}"
    assert posted.status_code == 409
    assert customer.one(transaction)["status"] == "EXPIRED"


def test_the_query_of_a_shop_url_is_kept(customer: Customer) -> None:
    pages = dict.fromkeys(("success", "error", "cancel"), "https://shop.example/a?order=7&b=")
    transaction = customer.register(redirectUrls=pages)

    location = submit(customer.client, transaction).headers["location"]

    assert location == f"https://shop.example/a?order=7&b=&transactionId={transaction}"


@pytest.mark.parametrize("instrument", ["pays", "reserves", "declines", "waits", "confirms"])
def test_the_selected_instrument_is_stored(customer: Customer, instrument: str) -> None:
    transaction = customer.register(paymentMethods=["VIS", "TWI"])

    submit(customer.client, transaction, method="TWI", instrument=instrument)

    row = customer.stored(transaction)
    assert (row.alias or "").startswith(f"{instrument}:")
    assert (row.method, row.brand) == ("TWI", "TWINT")


def test_cancelling_requires_no_selection(customer: Customer) -> None:
    transaction = customer.register()
    token = page_of(customer.client, transaction).fields["token"]

    response = customer.client.post(customer.page(transaction), data={"token": token, "action": "cancel"})

    assert response.status_code == 303


def test_a_double_click_ends_the_registration_once(customer: Customer) -> None:
    transaction = customer.register()
    fields = {**page_of(customer.client, transaction).fields, "action": "succeed"}

    first, second = (customer.client.post(customer.page(transaction), data=fields) for _ in range(2))

    assert (first.status_code, second.status_code) == (303, 409)
    assert "The payment method was added." in Page(second.text).texts
    assert customer.stored(transaction).revision == 2


def test_a_form_of_another_registration_is_refused(customer: Customer) -> None:
    first, second = customer.register(), customer.register()
    fields = {**page_of(customer.client, first).fields, "action": "succeed"}

    response = customer.client.post(customer.page(second), data=fields)

    assert response.status_code == 403
    assert customer.one(second)["status"] == "PENDING"


def test_an_error_is_in_the_language_of_the_page(customer: Customer) -> None:
    transaction = data_of(customer.post(body_of(), **{"accept-language": "de"}))["transactionId"]

    response = customer.client.post(customer.page(transaction), headers={"accept-language": "it"})

    page = Page(response.text)
    assert response.status_code == 415
    assert page.language == "de"
    assert TEXTS["de"].faulty in page.texts


def test_an_unknown_registration_is_reported_in_the_browser_language(client: TestClient) -> None:
    page = Page(client.get(f"{PAGES}/{'0' * 32}", headers={"accept-language": "it"}).text)

    assert page.language == "it"
    assert TEXTS["it"].unknown in page.texts


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_page_reports_that_the_storage_is_unavailable(
    customer: Customer, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = customer.page(customer.register())

    async def fail(*_: Any, **__: Any) -> None:
        raise StoreUnavailable("disk")

    monkeypatch.setattr(SqliteStore, "find", fail)
    response = customer.client.request(
        method, page, params={"language": "it"}, headers={"content-type": FORM}
    )

    assert response.status_code == 503
    assert response.headers["cache-control"] == "no-store"
    assert TEXTS["it"].unavailable in Page(response.text).texts


def test_a_client_that_disconnects_while_sending_changes_nothing(customer: Customer) -> None:
    transaction = customer.register()
    headers = [("content-type", FORM)]

    ask_in_vain(
        customer.client,
        "POST",
        customer.page(transaction),
        headers=headers,
        body=[b"token="],
        disconnects=True,
    )

    assert customer.one(transaction)["status"] == "PENDING"


@pytest.mark.parametrize(
    "transaction", ["0" * 31, "0" * 33, "A" * 32, "%00", "\u0660" * 32, "0" * 32 + "%0a"]
)
def test_invalid_transaction_ids_are_not_looked_up(
    client: TestClient, transaction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr(SqliteStore, "find", fail)

    assert client.get(f"{PAGES}/{transaction}-{'a' * 32}").status_code == 404
