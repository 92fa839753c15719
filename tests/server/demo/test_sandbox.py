"""The sandbox gateway: the instrument determines the result of a charge; invalid forms are refused."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from faregate_http.payment.gateway import Charge, ChargeResult, Outcome, Registration
from faregate_server.demo.sandbox.gateway import SandboxGateway, SandboxInstrument, sandbox_instrument
from support.payment.registering import FORM, Customer, page_of, paying, service_on

NOW = datetime(2026, 12, 1, 8, 30, tzinfo=UTC)
GATEWAY = SandboxGateway()


def charge_to(alias: str) -> Charge:
    return Charge("payment", 4950, "CHF", "VIS", alias)


def alias_of(kind: SandboxInstrument) -> str:
    return sandbox_instrument(kind, "VIS", at=NOW).alias


def ask(call: str, charge: Charge) -> ChargeResult:
    """Return the result of *charge* at a new gateway."""
    result: ChargeResult = asyncio.run(getattr(SandboxGateway(), call)(charge))
    return result


@pytest.mark.parametrize(
    ("kind", "authorized", "captured"),
    [
        (SandboxInstrument.PAYS, Outcome.SETTLED, Outcome.SETTLED),
        (SandboxInstrument.RESERVES, Outcome.AUTHORIZED, Outcome.SETTLED),
        (SandboxInstrument.DECLINES, Outcome.DECLINED, Outcome.DECLINED),
        (SandboxInstrument.WAITS, Outcome.PENDING, Outcome.PENDING),
    ],
)
def test_each_instrument_has_its_intended_outcome(
    kind: SandboxInstrument, authorized: Outcome, captured: Outcome
) -> None:
    charge = charge_to(alias_of(kind))

    assert ask("authorize", charge).outcome is authorized
    assert ask("authorize", charge) == ask("authorize", charge) == ask("inquire", charge)
    assert ask("capture", charge).outcome is captured
    assert asyncio.run(GATEWAY.cancel(charge)) is None


def test_only_failed_charges_have_errors() -> None:
    errors = {kind: ask("authorize", charge_to(alias_of(kind))).errors for kind in SandboxInstrument}

    # Without a customer a payment cannot be confirmed.
    assert {kind: found for kind, found in errors.items() if found} == {
        SandboxInstrument.DECLINES: ("declined",),
        SandboxInstrument.CONFIRMS: ("not-authenticated",),
    }


@pytest.mark.parametrize("alias", ["", "PAYS:1", ":", ":pays", "other:1", "pays :1"])
def test_an_unregistered_instrument_is_declined(alias: str) -> None:
    result = ask("authorize", charge_to(alias))

    assert result == ChargeResult(Outcome.DECLINED, ("unknown-instrument",))


def test_every_instrument_has_its_own_alias() -> None:
    aliases = {alias_of(SandboxInstrument.PAYS) for _ in range(100)}

    assert len(aliases) == 100


@pytest.mark.parametrize(
    ("at", "expires_at"),
    [
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)),
        (datetime(2026, 1, 1, tzinfo=UTC), datetime(2028, 2, 1, tzinfo=UTC)),
        (datetime(2028, 2, 29, 12, tzinfo=UTC), datetime(2030, 3, 1, tzinfo=UTC)),
        (datetime(2026, 11, 30, tzinfo=UTC), datetime(2028, 12, 1, tzinfo=UTC)),
    ],
)
def test_a_card_is_valid_to_the_end_of_a_month(at: datetime, expires_at: datetime) -> None:
    assert sandbox_instrument(SandboxInstrument.PAYS, "ECA", at=at).expires_at == expires_at


@pytest.mark.parametrize("method", ["TWI", "PAP", "REK", "APL"])
def test_methods_other_than_cards_do_not_expire(method: str) -> None:
    assert sandbox_instrument(SandboxInstrument.PAYS, method, at=NOW).expires_at is None


def test_a_customer_is_sent_to_the_page_of_the_registration() -> None:
    asked = Registration("abc", ("VIS",), "en", "https://tickets.example", "", "", "", "def")

    url = asyncio.run(GATEWAY.register(asked))

    assert url == "https://tickets.example/sandbox/registrations/abc-def"


FORMS: dict[str, tuple[dict[str, str] | bytes, int]] = {
    "nothing": (b"", 403),
    "no token": ({"action": "succeed", "method": "VIS", "instrument": "pays"}, 403),
    "an empty token": ({"token": "", "action": "cancel"}, 403),
    "a guessed token": ({"token": "A" * 32, "action": "cancel"}, 403),
    "a token of other letters": ({"token": "\u00e9" * 32, "action": "cancel"}, 403),
    "no action": ({"token": "<token>", "method": "VIS", "instrument": "pays"}, 422),
    "another action": ({"token": "<token>", "action": "refund"}, 422),
    "an action in capitals": ({"token": "<token>", "action": "CANCEL"}, 422),
    "no method": ({"token": "<token>", "action": "succeed", "instrument": "pays"}, 422),
    "a method that was not asked for": (
        {"token": "<token>", "action": "succeed", "method": "TWI", "instrument": "pays"},
        422,
    ),
    "a method that there is not": (
        {"token": "<token>", "action": "succeed", "method": "<b>", "instrument": "pays"},
        422,
    ),
    "no instrument": ({"token": "<token>", "action": "succeed", "method": "VIS"}, 422),
    "another instrument": (
        {"token": "<token>", "action": "succeed", "method": "VIS", "instrument": "gold"},
        422,
    ),
    "an alias for an instrument": (
        {"token": "<token>", "action": "succeed", "method": "VIS", "instrument": "pays:forged"},
        422,
    ),
    "a field that there is not": ({"token": "<token>", "action": "cancel", "alias": "pays:1"}, 400),
    "a field twice": (b"token=<token>&action=cancel&action=succeed", 400),
    "the token twice": (b"token=<token>&token=<token>&action=cancel", 400),
    "very many fields": (b"token=<token>&action=cancel" + b"&a=1" * 10, 400),
    "no pairs": (b"token", 400),
    "JSON": (b'{"action": "cancel"}', 400),
    "bytes that are no text": (b"token=\xff\xfe&action=cancel", 400),
    "escapes that are no text": (b"token=%ff&action=cancel", 400),
    "a very long form": (b"token=<token>&action=cancel&method=" + b"a" * 4096, 413),
}


@pytest.fixture(scope="module")
def customer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Customer]:
    with paying(tmp_path_factory.mktemp("forms")) as client:
        yield Customer.new(client)


@pytest.mark.parametrize(("fields", "status"), FORMS.values(), ids=FORMS)
def test_invalid_forms_change_nothing(
    customer: Customer, fields: dict[str, str] | bytes, status: int
) -> None:
    transaction = customer.register()
    token = page_of(customer.client, transaction).fields["token"]
    body = fields if isinstance(fields, bytes) else urlencode(fields, safe="<>").encode()

    response = customer.client.post(
        customer.page(transaction),
        content=body.replace(b"<token>", token.encode()),
        headers={"content-type": FORM},
    )

    assert response.status_code == status
    assert customer.one(transaction)["status"] == "PENDING"


@pytest.mark.parametrize("kind", ["", "text/plain", "multipart/form-data; boundary=x", "application/json"])
def test_forms_need_the_content_type_of_a_form(customer: Customer, kind: str) -> None:
    page = customer.page(customer.register())

    assert customer.client.post(page, content=b"token=x", headers={"content-type": kind}).status_code == 415


@pytest.mark.parametrize("unit", [b"&", b"%41", b"&a=1", b"+"])
def test_a_form_of_a_mebibyte_is_too_large(customer: Customer, unit: bytes) -> None:
    body = b"token=x&action=cancel" + unit * (2**20 // len(unit))
    page = customer.page(customer.register())

    response = customer.client.post(page, content=body, headers={"content-type": FORM})

    assert response.status_code == 413


@pytest.mark.parametrize("processes", [1, 2])
def test_one_of_many_concurrent_forms_ends_the_registration(tmp_path: Path, processes: int) -> None:
    with paying(tmp_path) as client:
        customer = Customer.new(client)
        transaction = customer.register()
        fields = page_of(client, transaction).fields

        answers = asyncio.run(at_once(tmp_path, customer.page(transaction), fields, processes))

        statuses = [answer.status_code for answer in answers]
        [first] = [answer for answer in answers if answer.status_code == 303]
        assert sorted(statuses) == [303] + [409] * 29
        ended = customer.stored(transaction)
        assert ended.revision == 2
        pages = {"ACTIVE": "success", "DECLINED": "error"}
        assert f"/{pages[ended.status]}?" in first.headers["location"]


async def at_once(folder: Path, url: str, fields: dict[str, str], processes: int) -> list[Any]:
    """Return the responses to thirty forms, sent to several independent services on one file."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(service_on(folder)) for _ in range(processes)]
        posts = [
            clients[n % processes].post(url, data={**fields, "action": action})
            for n, action in enumerate(["succeed", "succeed", "decline"] * 10)
        ]
        return await asyncio.gather(*posts)
