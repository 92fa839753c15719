"""The gateway without money: what becomes of a charge is what its instrument is for."""

import asyncio
from datetime import UTC, datetime

import pytest

from faregate_http.payment.gateway import Charge, ChargeResult, Outcome, Registration
from faregate_http.sandbox.gateway import SandboxGateway, SandboxInstrument, sandbox_instrument

NOW = datetime(2026, 12, 1, 8, 30, tzinfo=UTC)
GATEWAY = SandboxGateway()


def charge_to(alias: str) -> Charge:
    return Charge("payment", 4950, "CHF", "VIS", alias)


def alias_of(kind: SandboxInstrument) -> str:
    return sandbox_instrument(kind, "VIS", at=NOW).alias


def ask(call: str, charge: Charge) -> ChargeResult:
    """What *charge* gets, from a gateway that was never asked before."""
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
def test_an_instrument_does_what_it_is_for(
    kind: SandboxInstrument, authorized: Outcome, captured: Outcome
) -> None:
    charge = charge_to(alias_of(kind))

    assert ask("authorize", charge).outcome is authorized
    assert ask("authorize", charge) == ask("authorize", charge) == ask("inquire", charge)
    assert ask("capture", charge).outcome is captured
    assert asyncio.run(GATEWAY.cancel(charge)) is None


def test_only_what_is_declined_says_why() -> None:
    errors = {kind: ask("authorize", charge_to(alias_of(kind))).errors for kind in SandboxInstrument}

    assert {kind for kind, found in errors.items() if found} == {SandboxInstrument.DECLINES}
    assert errors[SandboxInstrument.DECLINES] == ("The card was declined.",)


@pytest.mark.parametrize("alias", ["", "PAYS:1", ":", ":pays", "other:1", "pays :1"])
def test_an_instrument_that_nobody_registered_is_declined(alias: str) -> None:
    result = ask("authorize", charge_to(alias))

    assert result == ChargeResult(Outcome.DECLINED, ("The instrument is not known.",))


def test_two_instruments_have_two_aliases() -> None:
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
def test_what_is_no_card_has_no_end(method: str) -> None:
    assert sandbox_instrument(SandboxInstrument.PAYS, method, at=NOW).expires_at is None


def test_a_customer_is_sent_to_the_page_of_the_registration() -> None:
    asked = Registration("abc", ("VIS",), "en", "https://tickets.example", "", "", "", "def")

    url = asyncio.run(GATEWAY.register(asked))

    assert url == "https://tickets.example/sandbox/registrations/abc-def"
