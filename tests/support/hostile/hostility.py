"""Hostile requests as data: each with its expected refusal, and a check that it changes nothing."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from time import process_time
from typing import Any, NamedTuple, TypeAlias

from starlette.testclient import TestClient

from support.service.raw_requests import CHANNEL, JSON, Headers, Reply, ask, places, problem_of
from support.service.service import SUNDAY, data_of, day_ticket, item, open_checkout

MOST_SECONDS = 1.0
"""Maximum processor time of a request, a hundred times the usual time."""


class Request(NamedTuple):
    """A request; names in ``<>`` are replaced by the world's values.

    A long body is generated when it is sent: there are hundreds of them.
    """

    method: str
    target: str
    body: bytes | Callable[[], bytes] = b""
    headers: Headers = CHANNEL

    def beside(self, *headers: tuple[str, str | bytes]) -> "Request":
        """Return a copy with *headers* in place of its own headers of these names."""
        names = {name for name, _ in headers}
        kept = (pair for pair in self.headers if pair[0] not in names)
        return self._replace(headers=(*kept, *headers))

    def without(self, *names: str) -> "Request":
        """Return a copy without the headers of these names."""
        return self._replace(headers=tuple(pair for pair in self.headers if pair[0] not in names))

    def asking(self, query: str) -> "Request":
        """Return a copy with *query* appended to its query."""
        return self._replace(target=f"{self.target}{'&' if '?' in self.target else '?'}{query}")

    def saying(self, body: object) -> "Request":
        """Return a copy with another JSON body."""
        return self._replace(body=dumped(body))


class Refusal(NamedTuple):
    """A problem and the locations of its issues: ``pointer /a/b``, ``parameter p`` or ``header h``."""

    status: int
    code: str
    places: tuple[str, ...] = ()


class Plain(NamedTuple):
    """A response other than a problem: a page for people, or a harmless success."""

    status: int


Outcome: TypeAlias = Refusal | Plain


class Row(NamedTuple):
    """A hostile request and its expected outcome."""

    name: str
    request: Request
    outcome: Outcome


Rows: TypeAlias = Iterator[Row]
Table: TypeAlias = Callable[["Request"], Rows]


class World(NamedTuple):
    """A service, its database, and the names of the existing objects."""

    client: TestClient
    database: sqlite3.Connection
    names: Mapping[str, str]
    kept: list[Any]

    @classmethod
    def of(cls, client: TestClient, database: sqlite3.Connection, names: Mapping[str, str]) -> "World":
        """Return a world whose current state must not change."""
        return cls(client, database, names, _stored(database))

    @property
    def is_as_it_was(self) -> bool:
        """Return whether all rows are unchanged."""
        return _stored(self.database) == self.kept

    def filled(self, text: str) -> str:
        """Return *text* with all names replaced."""
        for name, value in self.names.items() if "<" in text else ():
            text = text.replace(f"<{name}>", value)
        return text

    def asked(self, request: Request) -> Reply:
        """Return the response to *request*."""
        headers = [(name, self._filled(value)) for name, value in request.headers]
        body = request.body if isinstance(request.body, bytes) else request.body()
        target = self.filled(request.target)
        return ask(self.client, request.method, target, headers=headers, body=self._filled(body))

    def _filled(self, text: str | bytes) -> bytes:
        readable = text if isinstance(text, str) else text.decode("latin-1")
        return self.filled(readable).encode("latin-1")

    def version(self) -> int:
        """Return a number that changes with every write (SQLite, PRAGMA data_version)."""
        (number,) = self.database.execute("PRAGMA data_version").fetchone()
        return int(number)


def _stored(database: sqlite3.Connection) -> list[Any]:
    """Return the rows of each table, without the counts of failures, which grow by failing."""
    tables = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'failures'"
    ).fetchall()
    return [(name, database.execute(f'SELECT * FROM "{name}"').fetchall()) for (name,) in tables]


SECRETS = ("token", "foreign token", "id token", "order secret", "form token")


def fault_of(world: World, row: Row) -> str | None:
    """Return what is wrong with the response to a row, its side effects or its processor time.

    Processor time is independent of other processes.
    """
    version, started = world.version(), process_time()
    reply = world.asked(row.request)
    spent = process_time() - started
    try:
        _compare(reply, row)
        assert world.version() == version or world.is_as_it_was, "the database has changed"
        # A problem contains the requested path, which contains the secret of a page's link.
        is_problem = reply.header("content-type") == "application/problem+json"
        secrets = SECRETS[:-1] if is_problem and "<link>" in row.request.target else SECRETS
        assert not any(world.names[name].encode() in reply.body for name in secrets), "a secret is revealed"
        assert spent < MOST_SECONDS, f"{spent} seconds"
    except AssertionError as error:
        return f"{row.name}: {error}"
    return None


def _compare(reply: Reply, row: Row) -> None:
    match row.outcome:
        case Refusal(status, code, at_fault):
            problem = problem_of(reply, status, code)
            assert places(problem) == list(at_fault), problem
            assert len(reply.body) < 300_000
            assert reply.header("www-authenticate") == ("Bearer" if status == 401 else None)
            assert reply.header("accept") == ("application/json" if status == 415 else None)
        case Plain(status):
            assert reply.status == status, reply.body[:2000]


def dumped(value: object) -> bytes:
    """Return *value* as JSON; a text ``<#name>`` becomes the number of that name."""
    return _NUMBER.sub(r"<\1>", json.dumps(value)).encode()


_NUMBER = re.compile(r'"<#([a-z ]+)>"')


def of_each(operations: Mapping[str, Request], *tables: Table) -> Rows:
    """Yield the rows of each of *tables* for each operation, prefixed with the operation's name."""
    for operation, request in operations.items():
        for rows in tables:
            yield from (row._replace(name=f"{operation}: {row.name}") for row in rows(request))


PARKING = item(3, 311, validity=SUNDAY)
INSURANCE = item(4, 511, validity=SUNDAY, parentItemId=1)
USED, REMOVED = 1, 9


def filled_checkout(client: TestClient) -> str:
    """Return the path of an open checkout of four items and a code; item 9 was removed."""
    items = [day_ticket(USED), item(2, 411), PARKING, INSURANCE, day_ticket(REMOVED)]
    url, _ = open_checkout(client, *items)
    data_of(client.delete(f"{url}/items?itemId={REMOVED}"))
    data_of(client.post(f"{url}/vouchers", json={"voucherCode": "WINTER10"}))
    return url


GET = Request("GET", "<checkout>")
EXPLAIN = Request("GET", "<checkout>/explanation")
ADD = Request("POST", "<checkout>/items", dumped({"items": [day_ticket(20)]}), JSON)
REMOVE = Request("DELETE", "<checkout>/items?itemId=2")
ANSWER = Request(
    "POST", "<checkout>/checkout-conditions", dumped({"formValues": {"hotel": "Edelweiss"}}), JSON
)
CHANGE = Request("PATCH", "<checkout>/items/1/quantity", dumped({"delta": 1}), JSON)
ENTER = Request("POST", "<checkout>/vouchers", dumped({"voucherCode": "GIFT-100"}), JSON)
DROP = Request("DELETE", "<checkout>/vouchers/WINTER10")
OPERATIONS = {
    "get": GET,
    "explanation": EXPLAIN,
    "items": ADD,
    "remove": REMOVE,
    "conditions": ANSWER,
    "quantity": CHANGE,
    "vouchers": ENTER,
    "drop": DROP,
}


class Target(NamedTuple):
    """A checkout operation with a valid body and the name of the body's property."""

    method: str
    path: str
    good: Any
    property: str


ITEMS = Target("POST", "/items", {"items": [day_ticket(20)]}, "items")
QUANTITY = Target("PATCH", "/items/1/quantity", {"delta": 1}, "delta")
CONDITIONS = Target("POST", "/checkout-conditions", {"formValues": {"hotel": "Edelweiss"}}, "formValues")
VOUCHERS = Target("POST", "/vouchers", {"voucherCode": "GIFT-100"}, "voucherCode")
TARGETS = {"items": ITEMS, "quantity": QUANTITY, "conditions": CONDITIONS, "vouchers": VOUCHERS}
