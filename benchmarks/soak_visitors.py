"""Everybody who comes to a shop within half an hour, and what each of them asks for."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple
from uuid import UUID

from benchmarks.http_workload import CALENDARS, CHANNEL, GATE_PATH, INSIGHTS, gate_exchanges

_TICKETS = (101, 101, 101, 102, 103, 104)
_CODES = ("WINTER10", "NEWS5", "TRIO195", "GIFT-100", "ALP-50", "LUNCH-22", "OLD-80", "NONSENSE", "WINTER1O")
_FIRST_DAY = date(2027, 1, 4)
_DAYS = 60
_ADDRESSES = 2_000
_CUSTOMERS = 500

KEY = "A" * 43
KEY_SHA256 = sha256(bytes(32)).hexdigest()
"""What the visitors bring to their protected channel, and what its catalogue knows of that."""

EXPECTED = {200, 304, 400, 401, 403, 404, 405, 409, 413, 415, 422, 428, 429}
"""What may be answered to somebody; who asks for what there is expects 200 or 304."""


class Answer(NamedTuple):
    """An answer, of which the body is JSON or nothing."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)["data"]


class Unexpected(Exception):
    """Something was answered that must not be, or nothing."""


@dataclass
class Tally:
    """What was answered so far, by status; and how long each answer took since somebody looked last."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


class Pace:
    """Lets so many requests begin in a second, one after the other."""

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate
        self._next = 0.0

    async def turn(self) -> None:
        now = perf_counter()
        self._next = max(self._next + self._gap, now - 1)
        if self._next > now:
            await asyncio.sleep(self._next - now)


class Visitor:
    """Somebody on a connection of their own; *chance* decides what they do."""

    def __init__(self, port: int, pace: Pace, tally: Tally, chance: random.Random) -> None:
        self.chance = chance
        self._port = port
        self._pace = pace
        self._tally = tally
        self._address = f"10.0.{chance.randrange(_ADDRESSES) // 250}.{chance.randrange(_ADDRESSES) % 250}"
        self.token = ""

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        """Connected, within the block."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            yield
        finally:
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()

    async def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> None:
        """Send a request when it is its turn."""
        await self._pace.turn()
        lines = {
            "host": "shop",
            "service-channel-uuid": CHANNEL,
            "service-channel-key": KEY,
            "accept-language": "de",
            "x-forwarded-for": self._address,
            "content-length": str(len(body)),
        }
        if body:
            lines["content-type"] = "application/json"
        if self.token:
            lines["authorization"] = f"Bearer {self.token}"
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)

    async def ask(self, method: str, path: str, body: Any = None, *expected: int, **headers: str) -> Answer:
        """What is answered; anything but *expected* is a fault, if any are named."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        await self.send(method, path, content, **headers)
        started = perf_counter()
        answer = await self._answer(method)
        self._tally.seconds.append(perf_counter() - started)
        self._tally.statuses[answer.status] += 1
        if answer.status not in (expected or EXPECTED):
            self._tally.faults[f"{method} {path.split('/')[2:3]}: {answer.status} {answer.body[:200]!r}"] += 1
            raise Unexpected(f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        return answer

    async def _answer(self, method: str) -> Answer:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *fields = head.strip().split("\r\n")
        headers = dict(entry.split(": ", 1) for entry in fields)
        length = 0 if method == "HEAD" else int(headers.get("content-length", 0))
        return Answer(int(line.split()[1]), headers, await self._reader.readexactly(length))


# ---------------------------------------------------------------- what they do


async def fill_a_checkout(visitor: Visitor) -> str:
    """Open a checkout with one to four tickets, and change it; return its path."""
    chance = visitor.chance
    url = f"/api/checkout/{UUID(int=chance.getrandbits(128), version=4)}"
    items = [_ticket(chance, number) for number in range(1, chance.randrange(2, 6))]
    await visitor.ask("POST", f"{url}/items", {"items": items}, 200)
    if chance.random() < 0.5:
        await visitor.ask("PATCH", f"{url}/items/1/quantity", {"delta": chance.choice((1, 2))}, 200)
    if len(items) > 1 and chance.random() < 0.3:
        await visitor.ask("DELETE", f"{url}/items?itemId={len(items)}", None, 200)
    for code in chance.sample(_CODES, chance.choice((0, 0, 1, 2))):
        await visitor.ask("POST", f"{url}/vouchers", {"voucherCode": code}, 200, 409, 422, 429)
    return url


def _ticket(chance: random.Random, number: int) -> dict[str, object]:
    day = (_FIRST_DAY + timedelta(days=chance.randrange(_DAYS))).isoformat()
    return {
        "id": number,
        "productVariantId": chance.choice(_TICKETS),
        "personId": None,
        "validity": {"from": day, "to": day},
        "parentItemId": None,
        "originatedItemId": None,
        "discountCardTypeId": None,
    }


async def shop(visitor: Visitor) -> None:
    """Fill a checkout, look at it, and pay it, or leave it."""
    url = await fill_a_checkout(visitor)
    shown = await visitor.ask("GET", url, None, 200)
    await visitor.ask("GET", url, None, 304, if_none_match=shown.headers["etag"])
    if visitor.chance.random() < 0.5:
        return
    values = {"formValues": {"acceptTerms": True, "donation": visitor.chance.randrange(5)}}
    ready = await visitor.ask("POST", f"{url}/checkout-conditions", values, 200)
    payment = {"expectedTotal": ready.data["totalGross"], "provider": "ON_SITE"}
    key = str(UUID(int=visitor.chance.getrandbits(128), version=4))
    # A voucher may have been used up by somebody else meanwhile.
    paid = await visitor.ask("POST", f"{url}/payment", payment, 200, 409, 422, idempotency_key=key)
    again = await visitor.ask("POST", f"{url}/payment", payment, 200, 409, 422, idempotency_key=key)
    if paid.body != again.body:
        raise Unexpected(f"paid twice: {paid.body[:200]!r}, then {again.body[:200]!r}")
    await visitor.ask("GET", f"{url}/payment/status", None, 200)
    if visitor.token and paid.status == 200:
        await visitor.ask("GET", f"/api/orders/{url.rpartition('/')[2]}/notices", None, 200)


async def log_in(visitor: Visitor) -> None:
    """Log in, look at the account, and shop."""
    who = visitor.chance.randrange(_CUSTOMERS)
    wanted = {"subject": f"customer-{who}", "email": f"customer-{who}@example.com"}
    # The development issuer is there for this machine alone.
    here = {"host": "127.0.0.1", "x_forwarded_for": ""}
    answer = await visitor.ask("POST", "/dev/identity/token", wanted, 200, **here)
    body = {"idToken": json.loads(answer.body)["id_token"]}
    logged_in = await visitor.ask("POST", "/api/accounts/authenticate", body, 200, 429)
    if logged_in.status == 429:
        return
    visitor.token = logged_in.headers["access-token"]
    await visitor.ask("GET", "/api/accounts/current", None, 200)
    await visitor.ask("GET", "/api/payments/payment-details", None, 200)
    await shop(visitor)


_GATE = [body for body, _ in gate_exchanges()]


async def pass_the_gate(visitor: Visitor) -> None:
    """Ask for ten prices."""
    for _ in range(10):
        await visitor.ask("POST", GATE_PATH, visitor.chance.choice(_GATE), 200)


async def look_around(visitor: Visitor) -> None:
    """Read calendars, products and insights, some of them twice."""
    for path in visitor.chance.sample((*CALENDARS.values(), *INSIGHTS.values()), 3):
        shown = await visitor.ask("GET", path, None, 200)
        if "etag" in shown.headers:
            await visitor.ask("GET", path, None, 200, 304, if_none_match=shown.headers["etag"])


async def get_it_wrong(visitor: Visitor) -> None:
    """Ask for what there is not, in ways that are not understood."""
    chance = visitor.chance
    junk = chance.randbytes(30).hex()
    checkout = f"/api/checkout/{UUID(int=chance.getrandbits(128), version=4)}"
    wrong: tuple[tuple[str, str, Any, dict[str, str]], ...] = (
        ("GET", f"/api/{junk}", None, {}),
        ("PUT", checkout, None, {}),
        ("GET", checkout, None, {}),
        ("GET", checkout, None, {"service_channel_uuid": junk}),
        ("GET", f"{checkout}?{junk}=1", None, {"accept_language": junk}),
        ("POST", f"{checkout}/items", b"{" + junk.encode(), {}),
        ("POST", f"{checkout}/items", {"items": [{"id": junk}]}, {"x_request_id": junk}),
        ("POST", f"{checkout}/items", b"<a/>", {"content_type": "text/xml"}),
        ("POST", f"{checkout}/vouchers", {"voucherCode": junk}, {"idempotency_key": junk}),
        ("POST", GATE_PATH, {"quantity": 1e99}, {}),
        ("GET", "/api/accounts/current", None, {"authorization": f"Bearer {junk}"}),
        ("POST", "/api/accounts/authenticate", {"idToken": junk}, {}),
        ("GET", f"/api/products/{junk}", None, {}),
        ("GET", f"/api/booking/products/11/journey/validities?from={junk}", None, {}),
    )
    for method, path, body, headers in chance.sample(wrong, 5):
        await visitor.ask(method, path, body, **headers)


async def hang_up(visitor: Visitor) -> None:
    """Go away in the middle of a request, or before the answer."""
    body = json.dumps({"items": [_ticket(visitor.chance, 1)]}).encode()
    path = f"/api/checkout/{UUID(int=visitor.chance.getrandbits(128), version=4)}/items"
    sent = visitor.chance.choice((body, body[:-10], b""))
    await visitor.send("POST", path, sent, content_length=str(len(body)))


async def watch_over_it(visitor: Visitor) -> None:
    """Look whether it is well, as monitoring does."""
    await visitor.ask("GET", "/health/ready", None, 200)
    await visitor.ask("GET", "/metrics", None, 200)


ERRANDS: tuple[tuple[Callable[[Visitor], Awaitable[None]], int], ...] = (
    (shop, 30),
    (log_in, 8),
    (pass_the_gate, 25),
    (look_around, 20),
    (get_it_wrong, 10),
    (hang_up, 6),
    (watch_over_it, 1),
)
"""What visitors come for, and how many of a hundred."""


async def come_and_go(port: int, pace: Pace, tally: Tally, chance: random.Random) -> None:
    """One visitor after the other, for ever; what goes wrong is counted."""
    errands, weights = zip(*ERRANDS, strict=True)
    while True:
        (errand,) = chance.choices(errands, weights)
        visitor = Visitor(port, pace, tally, chance)
        try:
            async with visitor.here():
                await errand(visitor)
        except Unexpected:
            pass  # counted already
        except (OSError, asyncio.IncompleteReadError, KeyError, ValueError) as error:
            tally.faults[f"{errand.__name__}: {type(error).__name__} {error}"] += 1


async def fill(port: int, checkouts: int, seed: int) -> None:
    """Open so many checkouts as quickly as it goes."""
    tally, pace = Tally(), Pace(1e6)

    async def some(number: int) -> None:
        visitor = Visitor(port, pace, tally, random.Random(f"{seed} fill {number}"))
        async with visitor.here():
            for _ in range(checkouts // 16):
                await fill_a_checkout(visitor)

    await asyncio.gather(*(some(number) for number in range(16)))
