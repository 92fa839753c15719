"""Simulated visitors of a shop, and their requests."""

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
"""Hash of the visitors' key to a protected channel, as in its catalogue."""

EXPECTED = {200, 304, 400, 401, 403, 404, 405, 409, 413, 415, 422, 428, 429}
"""Statuses that are allowed in some case; requests for existing resources expect 200 or 304."""


class Answer(NamedTuple):
    """A response whose body is JSON or empty."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)["data"]


class Unexpected(Exception):
    """A response that is not allowed, or no response."""


@dataclass
class Tally:
    """Responses by status, and the response times since the last report."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


class Pace:
    """Starts a fixed number of requests per second, one after the other."""

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate
        self._next = 0.0

    async def turn(self) -> None:
        now = perf_counter()
        self._next = max(self._next + self._gap, now - 1)
        if self._next > now:
            await asyncio.sleep(self._next - now)


class Visitor:
    """A visitor with a connection of their own; *chance* decides their actions."""

    def __init__(self, port: int, pace: Pace, tally: Tally, chance: random.Random) -> None:
        self.chance = chance
        self._port = port
        self._pace = pace
        self._tally = tally
        self._address = f"10.0.{chance.randrange(_ADDRESSES) // 250}.{chance.randrange(_ADDRESSES) % 250}"
        self.token = ""

    @asynccontextmanager
    async def here(self) -> AsyncIterator[None]:
        """Connect for the duration of the block."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            yield
        finally:
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()

    async def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> None:
        """Send a request in its turn."""
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
        """Return the response; if statuses are *expected*, any other status is a fault."""
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


# ---------------------------------------------------------------- actions


async def fill_a_checkout(visitor: Visitor) -> str:
    """Open a checkout with one to four tickets, change it, and return its path."""
    chance = visitor.chance
    url = f"/api/checkout/{UUID(int=chance.getrandbits(128), version=4)}"
    items = [ticket(chance, number) for number in range(1, chance.randrange(2, 6))]
    await visitor.ask("POST", f"{url}/items", {"items": items}, 200)
    if chance.random() < 0.5:
        await visitor.ask("PATCH", f"{url}/items/1/quantity", {"delta": chance.choice((1, 2))}, 200)
    if len(items) > 1 and chance.random() < 0.3:
        await visitor.ask("DELETE", f"{url}/items?itemId={len(items)}", None, 200)
    for code in chance.sample(_CODES, chance.choice((0, 0, 1, 2))):
        await visitor.ask("POST", f"{url}/vouchers", {"voucherCode": code}, 200, 409, 422, 429)
    return url


def ticket(chance: random.Random, number: int) -> dict[str, object]:
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
    """Fill a checkout, read it, and pay or leave it."""
    url = await fill_a_checkout(visitor)
    shown = await visitor.ask("GET", url, None, 200)
    await visitor.ask("GET", url, None, 304, if_none_match=shown.headers["etag"])
    if visitor.chance.random() < 0.5:
        return
    values = {"formValues": {"acceptTerms": True, "donation": visitor.chance.randrange(5)}}
    ready = await visitor.ask("POST", f"{url}/checkout-conditions", values, 200)
    payment = {"expectedTotal": ready.data["totalGross"], "provider": "ON_SITE"}
    key = str(UUID(int=visitor.chance.getrandbits(128), version=4))
    # Another visitor may have used up a voucher meanwhile.
    paid = await visitor.ask("POST", f"{url}/payment", payment, 200, 409, 422, idempotency_key=key)
    again = await visitor.ask("POST", f"{url}/payment", payment, 200, 409, 422, idempotency_key=key)
    if paid.body != again.body:
        raise Unexpected(f"paid twice: {paid.body[:200]!r}, then {again.body[:200]!r}")
    await visitor.ask("GET", f"{url}/payment/status", None, 200)
    if visitor.token and paid.status == 200:
        await visitor.ask("GET", f"/api/orders/{url.rpartition('/')[2]}/notices", None, 200)


async def log_in(visitor: Visitor) -> None:
    """Log in, read the account, and shop."""
    who = visitor.chance.randrange(_CUSTOMERS)
    wanted = {"subject": f"customer-{who}", "email": f"customer-{who}@example.com"}
    # The development issuer serves local clients only.
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
    """Send requests for missing resources and malformed requests."""
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
    """Disconnect in the middle of a request, or before the response."""
    body = json.dumps({"items": [ticket(visitor.chance, 1)]}).encode()
    path = f"/api/checkout/{UUID(int=visitor.chance.getrandbits(128), version=4)}/items"
    sent = visitor.chance.choice((body, body[:-10], b""))
    await visitor.send("POST", path, sent, content_length=str(len(body)))


async def watch_over_it(visitor: Visitor) -> None:
    """Call the health checks, like a monitoring system."""
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
"""Actions of visitors, and their shares in percent."""


async def come_and_go(port: int, pace: Pace, tally: Tally, chance: random.Random) -> None:
    """Run one visitor after the other for ever, and count failures."""
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
    """Open *checkouts* checkouts as fast as possible."""
    tally, pace = Tally(), Pace(1e6)

    async def some(number: int) -> None:
        visitor = Visitor(port, pace, tally, random.Random(f"{seed} fill {number}"))
        async with visitor.here():
            for _ in range(checkouts // 16):
                await fill_a_checkout(visitor)

    await asyncio.gather(*(some(number) for number in range(16)))
