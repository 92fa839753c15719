"""Clients who ask without a pause and note what becomes of each request, while a server comes and goes."""

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
    """An answer as a client has it."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def is_last(self) -> bool:
        """Whether nothing more is answered on its connection."""
        return self.headers.get("connection") == "close"


@dataclass
class Tally:
    """What became of all requests.

    ``refused`` are connections that nobody took: nothing was sent. ``lost`` says of each request that was
    sent, and not answered, on what kind of connection it was. ``prices`` are those each client was told.
    """

    answered: Counter[int] = field(default_factory=Counter)
    refused: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    checkouts: set[str] = field(default_factory=set)
    prices: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    is_over: bool = False
    ends_when_refused: bool = True

    def note(self, client: str, url: str, reply: Reply) -> None:
        """Count an answer."""
        self.answered[reply.status] += 1
        if reply.status == 200 and url == GATE:
            self.prices[client].append(json.loads(reply.body)["unit_price_cents"])
        elif reply.status == 200 and url.endswith("/items"):
            self.checkouts.add(url.split("/")[3])

    async def reached(self, answers: int) -> None:
        """Wait until there are so many more."""
        async with asyncio.timeout(60):
            goal = self.answered.total() + answers
            while self.answered.total() < goal:
                await asyncio.sleep(0.01)


def request_of(method: str, url: str, body: bytes = b"") -> bytes:
    """A request as it is sent."""
    fields = HEADERS | {"host": "a", "content-type": "application/json", "content-length": str(len(body))}
    lines = [f"{method} {url} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def any_request(chance: random.Random) -> tuple[str, bytes]:
    """What is asked for, and all of it: a price, a new checkout with a ticket, or a sign of life."""
    url, body = chance.choice(((GATE, _PRICE), (f"{new_url()}/items", _TICKET), ("/health/live", b"")))
    return url, request_of("POST" if body else "GET", url, body)


async def reply_from(reader: asyncio.StreamReader) -> Reply:
    """The next answer.

    Raises:
        asyncio.IncompleteReadError: there is none, or not all of it.
    """
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    line, *fields = head.strip().split("\r\n")
    headers = dict(entry.lower().split(": ", 1) for entry in fields)
    return Reply(int(line.split()[1]), headers, await reader.readexactly(int(headers["content-length"])))


@asynccontextmanager
async def asking(
    port: int, *, seed: int, fresh: int = 6, kept: int = 10, ends_when_refused: bool = True
) -> AsyncIterator[Tally]:
    """What becomes of the requests of *fresh* clients with a new connection each time, and of *kept* ones.

    After the block they end, when they have their answers.
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
        while not tally.is_over and not reader.at_eof():
            url, request = any_request(self.chance)
            try:
                writer.write(request)
                reply = await reply_from(reader)
            except (OSError, asyncio.IncompleteReadError):
                tally.lost[self.kind] += 1
                return
            tally.note(self.name, url, reply)
            if self.kind == "fresh" or reply.is_last:
                return
            await asyncio.sleep(self.chance.random() / 50)
