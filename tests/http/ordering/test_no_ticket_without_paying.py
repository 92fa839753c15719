"""Acceptance: a client with only public knowledge gets no ticket without paying.

The service is started as in the operation guide. The client walks all channels of the demo resort with every
provider and its steps in every order; the money that the gateway took is counted separately.
"""

import os
import random
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_cli.serve import serving
from faregate_cli.serve.preparing import Prepared
from faregate_http.channels import Channels
from faregate_http.options import FailureLimit
from faregate_http.payment.gateway import Charge, ChargeResult, Outcome
from faregate_http.payment.rows import vouchers_of
from faregate_http.store.records import OrderRow, PaymentRow, TicketRow
from faregate_server.app import create_app
from faregate_server.audit.figures import read_figures
from faregate_server.channel_keys import new_key
from faregate_server.demo.sandbox.gateway import SandboxGateway
from support.cli.running import run
from support.payment.registering import DETAILS, body_of, services_of, submit
from support.service.customers import logged_in, new_person, rows_of
from support.service.identity_provider import AUDIENCE, SECRET, Provider, providing
from support.service.service import PARTNERS, VALLEY_STATION, WEBSHOP, Clock, Json, item, new_url

GUIDE = Path(__file__).parents[3] / "docs/guides/operation.md"
SEED = int(os.environ.get("FAREGATE_SEED", random.randrange(10**6)))

LUNCH, DAY_TICKET, PARTNER_TICKET = 411, 101, 711
LIST_PRICES = {LUNCH: 2250, DAY_TICKET: 7900}
SUMMER = {"from": "2030-07-01", "to": "2030-07-01"}
MOST_OFF = 0.6
"""Part of the list price that remains after the codes entered here and the demo's own discounts."""
VOUCHERS = {"GIFT-100": 10_000, "ALP-50": 5_000, "LUNCH-22": 2_250}

CHANNELS = (WEBSHOP, VALLEY_STATION, PARTNERS)
PROVIDERS = ("GATEWAY", "ON_SITE", None)
INSTRUMENTS = ("pays", "reserves", "declines", "waits", "declined", "cancelled", "unknown", None)

TILL = new_key()


def started_as_the_guide_says(
    folder: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch, catalogue: str
) -> Prepared:
    """Return the service of the guide's first command, with an existing catalogue, database and provider.

    It includes the sandbox, so that payments are possible.
    """
    text = GUIDE.read_text("utf-8").replace("\\\n", " ")
    words = shlex.split(next(line for line in text.splitlines() if line.startswith("faregate serve")))
    (folder / "shop.yaml").write_text(catalogue, "utf-8")
    ours = {
        "shop.yaml": str(folder / "shop.yaml"),
        "https://login.example": provider.url,
        "tickets": AUDIENCE,
        words[-1]: f"sqlite:///{folder}/shop.db",
    }
    starts: list[Prepared] = []
    monkeypatch.setattr(serving, "serve", lambda prepared, **_: starts.append(prepared))
    monkeypatch.setenv("FAREGATE_TOKEN_SECRET", SECRET)

    started = run(*[ours.get(word, word) for word in words[1:]], "--sandbox")

    assert started.exit_code == 0, started.stderr
    return starts[0]


@dataclass
class Money:
    """Money that the sandbox gateway has taken, by payment id."""

    taken: dict[str, int] = field(default_factory=dict)

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Record the payments of every sandbox from now on."""
        for name in ("authorize", "inquire", "capture"):
            monkeypatch.setattr(SandboxGateway, name, self._booking(getattr(SandboxGateway, name)))

        async def cancel(_gateway: SandboxGateway, charge: Charge) -> None:
            self.taken.pop(charge.id, None)

        monkeypatch.setattr(SandboxGateway, "cancel", cancel)

    def _booking(self, call: Callable[..., Any]) -> Callable[..., Any]:
        async def booked(gateway: SandboxGateway, charge: Charge) -> ChargeResult:
            result: ChargeResult = await call(gateway, charge)
            if result.outcome in {Outcome.SETTLED, Outcome.AUTHORIZED}:
                self.taken[charge.id] = charge.amount
            return result

        return booked


@contextmanager
def service(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, is_open: bool = False
) -> Iterator[tuple[TestClient, Provider, Money]]:
    """Yield a client without a key; if the service *is_open*, channels need no keys."""
    demo = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    key = f'    keys: [{{name: till, sha256: "{TILL.sha256}"}}]\n'
    for kind in ("POS", "CONSUMPTION"):
        demo = demo.replace(f"    type: {kind}\n", f"    type: {kind}\n{key}")
    money = Money()
    money.watch(monkeypatch)
    with providing() as provider:
        prepared = started_as_the_guide_says(folder, provider, monkeypatch, demo)
        # The client must be kept out by keys alone, not by rate limits.
        unlimited = {"key_failures": FailureLimit(10**6, 1), "code_failures": FailureLimit(10**6, 1)}
        if is_open:
            monkeypatch.setattr(Channels, "entered", Channels.named)
        with TestClient(
            create_app(replace(prepared.settings, **unlimited), clock=Clock()),  # type: ignore[arg-type]
            headers={"accept-language": "en", "service-channel-uuid": WEBSHOP},
            follow_redirects=False,
        ) as client:
            yield client, provider, money


@dataclass
class Walker:
    """A client with an account that has registered every kind of means of payment."""

    client: TestClient
    account: dict[str, str]
    details: dict[str, int]
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)

    @classmethod
    def new(cls, client: TestClient, provider: Provider) -> "Walker":
        account = logged_in(client, provider.token(sub="mallory", email="m@allory.example"))
        client.headers.update(account)
        new_person(client, account)
        details = {"unknown": 2**40}
        for kind in INSTRUMENTS[:6]:
            begun = client.post(f"{DETAILS}/register", json=body_of()).json()["data"]["transactionId"]
            action = {"declined": "decline", "cancelled": "cancel"}.get(str(kind), "succeed")
            choice = {} if action != "succeed" else {"instrument": str(kind)}
            assert submit(client, begun, action, **choice).status_code == 303
            (found,) = (
                one["id"] for one in client.get(DETAILS).json()["data"] if one["transactionId"] == begun
            )
            details[str(kind)] = found
        del client.headers["authorization"]
        return cls(client, account, details)

    def walk(self, steps: tuple[str, ...], how: "How") -> None:
        """Make the steps on a new checkout, regardless of the responses."""
        url = new_url()
        for step in steps:
            self.step(step, url, how)

    def step(self, step: str, url: str, how: "How") -> None:
        match step:
            case "add":
                items = [item(1, LUNCH), item(2, DAY_TICKET, validity=SUMMER)]
                self.ask("POST", f"{url}/items", how, {"items": items[: 1 + how.has_ticket]})
            case "add partner":
                body = {"items": [item(7, PARTNER_TICKET, validity=SUMMER)]}
                self.ask("POST", f"{url}/items", how, body)
            case "more" | "fewer":
                self.ask("PATCH", f"{url}/items/1/quantity", how, {"delta": 1 if step == "more" else -1})
            case "remove":
                self.ask("DELETE", f"{url}/items?itemId=1", how)
            case "terms":
                self.ask("POST", f"{url}/checkout-conditions", how, {"formValues": {"acceptTerms": True}})
            case "code" | "voucher" | "staff code":
                codes = {"code": "WINTER10", "staff code": "COUNTER5"}
                code = codes.get(step) or how.voucher
                self.ask("POST", f"{url}/vouchers", how, {"voucherCode": code})
            case "drop":
                self.ask("DELETE", f"{url}/vouchers/{how.voucher}", how)
            case _:
                self.pay(step, url, how)

    def pay(self, step: str, url: str, how: "How") -> None:
        """Pay the total shown, or one that suits the client."""
        shown = self.ask("GET", url, how)
        data = shown.json().get("data", {}) if shown.status_code == 200 else {}
        due = data.get("totalGross", 22.5)
        total = {"pay": due, "pay nothing": 0, "pay less": 0.05, "pay again": due}[step]
        body: Json = {"expectedTotal": total}
        if how.provider is not None:
            body["provider"] = how.provider
        if how.instrument is not None:
            body["paymentDetailId"] = self.details[how.instrument]
        headers = {"idempotency-key": "the-same-for-all"} if step in {"pay", "pay again"} else {}
        self.ask(
            "POST", f"{url}/payment", how, {name: value for name, value in body.items() if value}, headers
        )
        self.ask("GET", f"{url}/payment/status", how)

    def ask(
        self, method: str, path: str, how: "How", body: Any = None, more: dict[str, str] | None = None
    ) -> Any:
        headers = {"service-channel-uuid": how.channel, **(more or {})}
        headers |= self.account if how.has_account else {}
        headers |= {"service-channel-key": how.key} if how.key is not None else {}
        answer = self.client.request(method, path, json=body, headers=headers)
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        self.statuses[how.channel, answer.status_code] += 1
        return answer


@dataclass(frozen=True)
class How:
    """Parameters of a walk."""

    channel: str
    provider: str | None
    instrument: str | None = None
    voucher: str = "GIFT-100"
    key: str | None = None
    has_account: bool = False
    has_ticket: bool = True


STEPS = ("add", "terms", "voucher", "pay")
MORE_STEPS = (
    *("add", "add", "add partner", "more", "fewer", "remove", "terms", "terms", "code", "staff code"),
    *("voucher", "drop", "pay", "pay", "pay again", "pay nothing", "pay less"),
)
# What a client may find: nothing, the hash of a key, a key of another service.
KEYS = (None, "", TILL.sha256, new_key().key)


def walk_everywhere(walker: Walker, chance: random.Random, walks: int) -> None:
    """Walk four steps in every order on every channel with every provider, then longer random walks."""
    for channel, provider, has_account in product(CHANNELS, PROVIDERS, (False, True)):
        instruments = INSTRUMENTS if provider == "GATEWAY" and has_account else (None,)
        for number, steps in enumerate(permutations(STEPS)):
            instrument = instruments[number % len(instruments)]
            walker.walk(steps, How(channel, provider, instrument, has_account=has_account))
    for _ in range(walks):
        how = How(
            chance.choice((WEBSHOP, WEBSHOP, VALLEY_STATION, PARTNERS)),
            chance.choice(PROVIDERS),
            chance.choice((None, *INSTRUMENTS)),
            chance.choice([*VOUCHERS, "OLD-80"]),
            chance.choice(KEYS),
            chance.random() < 0.7,
            chance.random() < 0.3,
        )
        walker.walk(("add", *chance.choices(MORE_STEPS, k=chance.randint(3, 8))), how)
    how = How(WEBSHOP, "GATEWAY", "pays", has_account=True)  # one walk that pays
    walker.walk(("add", "terms", "pay", "pay again", "pay nothing"), how)


def free_orders(client: TestClient, money: Money) -> list[str]:
    """Return orders that are too cheap or not paid, and tickets without an order."""
    assert client.portal is not None
    while any(ticket.status == "OPEN" for ticket in rows_of(client, TicketRow)):
        client.portal.call(services_of(client).ticketing.work)
    orders: dict[str, OrderRow] = {order.id: order for order in rows_of(client, OrderRow)}
    found = [ticket.id for ticket in rows_of(client, TicketRow) if ticket.order_id not in orders]
    taken: Counter[str] = Counter()
    for payment in rows_of(client, PaymentRow):
        taken[payment.checkout_id] += money.taken.get(payment.id, 0)
    used: Counter[str] = Counter()
    by_voucher: Counter[str] = Counter()
    for payment in rows_of(client, PaymentRow):
        if payment.checkout_id in orders and payment.status in {"SETTLED", "AUTHORIZED"}:
            used.update(dict(vouchers_of(payment)))
            by_voucher[payment.checkout_id] += sum(amount for _, amount in vouchers_of(payment))
    for order in orders.values():
        sold = [entry.product_variant.id for entry in read_figures(order.figures).items]
        least = sum(LIST_PRICES.get(variant, 10**6) for variant in sold) * MOST_OFF
        if taken[order.id] + by_voucher[order.id] < order.total or order.total < least or not sold:
            found.append(order.id)
    return found + [code for code, amount in used.items() if amount > VOUCHERS.get(code, 0)]


@pytest.mark.slow
def test_a_client_without_secrets_gets_no_ticket_without_paying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    print(f"FAREGATE_SEED={SEED}")  # noqa: T201  # shown when the test fails
    with service(tmp_path, monkeypatch) as (client, provider, money):
        walker = Walker.new(client, provider)
        walk_everywhere(walker, random.Random(SEED), 150)
        free = free_orders(client, money)
        orders = rows_of(client, OrderRow)

    assert not free
    assert {status for channel, status in walker.statuses if channel != WEBSHOP} == {404}
    assert {order.channel for order in orders} == {WEBSHOP}
    assert money.taken
    assert len(orders) > len(money.taken) / 2, "too few payments led to tickets: the walk proves little"


@pytest.mark.long
def test_the_walk_finds_a_free_ticket_if_channels_require_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service(tmp_path, monkeypatch, is_open=True) as (client, provider, money):
        walk_everywhere(Walker.new(client, provider), random.Random(1), 0)
        free = free_orders(client, money)
        orders = {order.id: order.channel for order in rows_of(client, OrderRow)}

    assert free
    assert {orders[order] for order in free} == {VALLEY_STATION}


def test_the_audit_finds_an_order_that_was_not_paid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with service(tmp_path, monkeypatch) as (client, provider, money):
        walk = How(WEBSHOP, "GATEWAY", "pays", has_account=True)
        Walker.new(client, provider).walk(("add", "terms", "pay"), walk)
        assert free_orders(client, money) == []
        money.taken.clear()

        assert len(free_orders(client, money)) == 1
