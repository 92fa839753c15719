"""Clients that send requests without a pause and count the outcomes, while a server is restarted."""

import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from support.service.gate import ADULT
from support.service.gate import PATH as GATE
from support.service.service import HEADERS, day_ticket, new_url

_TICKET = json.dumps({"items": [day_ticket(1)]}).encode()
_PRICE = json.dumps(ADULT).encode()


class Reply(NamedTuple):
    """A response as the client receives it."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def is_last(self) -> bool:
        """True if the server closes the connection after it."""
        return self.headers.get("connection") == "close"


@dataclass
class Tally:
    """The outcomes of all requests.

    ``refused`` connections were never accepted, so nothing was sent. ``lost`` counts requests without a
    response: ``fresh`` if it was the first on its connection, which the server may not have accepted, and
    ``kept`` if an earlier one had a response. ``prices`` lists the prices in the responses to each client.
    """

    answered: Counter[int] = field(default_factory=Counter)
    refused: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    checkouts: set[str] = field(default_factory=set)
    prices: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    is_over: bool = False
    ends_when_refused: bool = True

    def note(self, client: str, url: str, reply: Reply) -> None:
        """Count a response."""
        self.answered[reply.status] += 1
        if reply.status == 200 and url == GATE:
            self.prices[client].append(json.loads(reply.body)["unit_price_cents"])
        elif reply.status == 200 and url.endswith("/items"):
            self.checkouts.add(url.split("/")[3])

    async def reached(self, answers: int) -> None:
        """Wait for *answers* further responses."""
        async with asyncio.timeout(60):
            goal = self.answered.total() + answers
            while self.answered.total() < goal:
                await asyncio.sleep(0.01)


def request_of(method: str, url: str, body: bytes = b"") -> bytes:
    """Return a request as bytes."""
    fields = HEADERS | {"host": "a", "content-type": "application/json", "content-length": str(len(body))}
    lines = [f"{method} {url} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def any_request(chance: random.Random) -> tuple[str, bytes]:
    """Draw a request: a price, a new checkout with a ticket, or a health check."""
    url, body = chance.choice(((GATE, _PRICE), (f"{new_url()}/items", _TICKET), ("/health/live", b"")))
    return url, request_of("POST" if body else "GET", url, body)


async def reply_from(reader: asyncio.StreamReader) -> Reply:
    """Read the next response.

    Raises:
        asyncio.IncompleteReadError: the response is missing or incomplete.
    """
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, *fields = head.strip().split("\r\n")
    headers = dict(entry.lower().split(": ", 1) for entry in fields)
    return Reply(int(line.split()[1]), headers, await reader.readexactly(int(headers["content-length"])))


@asynccontextmanager
async def asking(
    port: int, *, seed: int, fresh: int = 6, kept: int = 10, ends_when_refused: bool = True
) -> AsyncIterator[Tally]:
    """Count the outcomes of *fresh* clients with a new connection per request, and of *kept* ones.

    After the block they end as soon as they have their responses.
    """
    tally = Tally(ends_when_refused=ends_when_refused)
    kinds = ["fresh"] * fresh + ["kept"] * kept
    clients = [
        _Client(kind, f"{kind} {number}", random.Random(seed * 100 + number))
        for number, kind in enumerate(kinds)
    ]
    tasks = [asyncio.create_task(client.ask(port, tally)) for client in clients]
    try:
        yield tally
    finally:
        tally.is_over = True
        await asyncio.wait_for(asyncio.gather(*tasks), timeout=60)


class _Client(NamedTuple):
    kind: str
    name: str
    chance: random.Random

    async def ask(self, port: int, tally: Tally) -> None:
        while not tally.is_over:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                tally.refused += 1
                if tally.ends_when_refused:
                    return
                await asyncio.sleep(0.02)
                continue
            try:
                await self._ask_on(reader, writer, tally)
            finally:
                writer.close()

    async def _ask_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, tally: Tally) -> None:
        connection = "fresh"
        while not tally.is_over and not reader.at_eof():
            url, request = any_request(self.chance)
            try:
                writer.write(request)
                reply = await reply_from(reader)
            except (OSError, asyncio.IncompleteReadError):
                tally.lost[connection] += 1
                return
            connection = "kept"
            tally.note(self.name, url, reply)
            if self.kind == "fresh" or reply.is_last:
                return
            await asyncio.sleep(self.chance.random() / 50)
