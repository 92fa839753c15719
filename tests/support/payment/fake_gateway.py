"""A payment gateway for tests, which follows a plan and keeps books of its charges."""

import asyncio
import json
import os
from collections import deque
from collections.abc import Awaitable, Callable
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from faregate_http.payment.gateway import Charge, ChargeResult, GatewayUnavailable, Outcome, Registration


class Plan(Enum):
    """The result of an authorization."""

    SETTLE = "settle"
    AUTHORIZE = "authorize"
    DECLINE = "decline"
    WAIT = "wait"
    """PENDING until the customer confirms, see `FakeGateway.confirm`."""
    FAIL_BEFORE = "fail-before"
    """The request is lost on the way."""
    FAIL_AFTER = "fail-after"
    """The charge is settled, but the response is lost."""
    HANG_BEFORE = "hang-before"
    HANG_AFTER = "hang-after"
    """The charge is settled, but the connection hangs without a response."""


class Act(Enum):
    """The state of a charge in the books."""

    SETTLED = "settled"
    AUTHORIZED = "authorized"
    DECLINED = "declined"
    PENDING = "pending"
    CAPTURED = "captured"
    CANCELLED = "cancelled"


class Entry(NamedTuple):
    """One entry of the books, in minor units."""

    charge: str
    act: Act
    amount: int


class Books:
    """Books in memory."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def write(self, entry: Entry) -> None:
        self._entries.append(entry)

    def read(self) -> list[Entry]:
        return list(self._entries)


class BooksInFile(Books):
    """Books in a file that several processes write to, even if one of them dies."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        path.touch()

    def write(self, entry: Entry) -> None:
        line = json.dumps([entry.charge, entry.act.value, entry.amount]) + "\n"
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def read(self) -> list[Entry]:
        rows = map(json.loads, self._path.read_text().splitlines())
        return [Entry(charge, Act(act), amount) for charge, act, amount in rows]


_MONEY = frozenset({Act.SETTLED, Act.AUTHORIZED, Act.CAPTURED})
_PLANNED = {
    Plan.SETTLE: Act.SETTLED,
    Plan.AUTHORIZE: Act.AUTHORIZED,
    Plan.DECLINE: Act.DECLINED,
    Plan.WAIT: Act.PENDING,
    Plan.FAIL_AFTER: Act.SETTLED,
    Plan.HANG_AFTER: Act.SETTLED,
}
_RESULTS = {
    Act.SETTLED: ChargeResult(Outcome.SETTLED),
    Act.AUTHORIZED: ChargeResult(Outcome.AUTHORIZED),
    Act.CAPTURED: ChargeResult(Outcome.SETTLED),
    Act.PENDING: ChargeResult(Outcome.PENDING),
    Act.DECLINED: ChargeResult(Outcome.DECLINED, ("The card was declined.",)),
    Act.CANCELLED: ChargeResult(Outcome.DECLINED, ("The charge was cancelled.",)),
}

Pause = Callable[[str, Charge], Awaitable[None]]


async def _at_once(_call: str, _charge: Charge) -> None:
    return None


class FakeGateway:
    """A `PaymentGateway` that follows its plans in order; by default it settles every charge.

    ``before`` and ``after`` are awaited around each call, with its name. While it ``is_down`` nothing
    arrives. A charge has one state; a cancelled charge stays cancelled, whatever arrives later.
    """

    def __init__(self, books: Books | None = None, *, default: Plan = Plan.SETTLE) -> None:
        self.books = books or Books()
        self.plans: deque[Plan] = deque()
        self.default = default
        self.is_down = False
        self.before: Pause = _at_once
        self.after: Pause = _at_once
        self.calls: list[tuple[str, str]] = []
        self.hanging = 0

    # ------------------------------------------------------------ the books

    def state(self, charge: str) -> Act | None:
        """Return the state of a charge; None: it never arrived."""
        acts = [entry.act for entry in self.books.read() if entry.charge == charge]
        return Act.CANCELLED if Act.CANCELLED in acts else acts[-1] if acts else None

    def charges(self) -> dict[str, Act]:
        """Return all charges that arrived, with their states."""
        ids = dict.fromkeys(entry.charge for entry in self.books.read())
        return {charge: state for charge in ids if (state := self.state(charge))}

    def kept(self) -> dict[str, int]:
        """Return the amounts of charges that are reserved or captured and not refunded."""
        kept = {charge for charge, state in self.charges().items() if state in _MONEY}
        return {entry.charge: entry.amount for entry in self.books.read() if entry.charge in kept}

    def confirm(self, charge: str, act: Act = Act.SETTLED) -> None:
        """Confirm a PENDING charge as the customer."""
        if self.state(charge) is Act.PENDING:
            self._write(charge, act)

    def count(self, call: str) -> int:
        """Return the number of calls of that name."""
        return sum(name == call for name, _ in self.calls)

    def _write(self, charge: str, act: Act, amount: int | None = None) -> None:
        known = [entry.amount for entry in self.books.read() if entry.charge == charge]
        self.books.write(Entry(charge, act, amount if amount is not None else known[0]))

    # ------------------------------------------------------------ the calls

    async def register(self, registration: Registration) -> str:
        return f"https://gateway.example/{registration.transaction_id}"

    async def authorize(self, charge: Charge) -> ChargeResult:
        plan = self.plans.popleft() if self.plans else self.default
        await self._arrives("authorize", charge, is_lost=plan is Plan.FAIL_BEFORE)
        await self._hangs(plan is Plan.HANG_BEFORE)
        if self.state(charge.id) is None:
            self._write(charge.id, _PLANNED[plan], charge.amount)
        await self._hangs(plan is Plan.HANG_AFTER)
        return await self._answer("authorize", charge, is_lost=plan is Plan.FAIL_AFTER)

    async def inquire(self, charge: Charge) -> ChargeResult:
        await self._arrives("inquire", charge)
        return await self._answer("inquire", charge)

    async def capture(self, charge: Charge) -> ChargeResult:
        await self._arrives("capture", charge)
        if self.state(charge.id) is Act.AUTHORIZED:
            self._write(charge.id, Act.CAPTURED)
        return await self._answer("capture", charge)

    async def cancel(self, charge: Charge) -> None:
        await self._arrives("cancel", charge)
        if self.state(charge.id) is not Act.CANCELLED:
            self._write(charge.id, Act.CANCELLED, charge.amount)
        await self.after("cancel", charge)

    async def _arrives(self, call: str, charge: Charge, *, is_lost: bool = False) -> None:
        self.calls.append((call, charge.id))
        await self.before(call, charge)
        if is_lost or self.is_down:
            raise GatewayUnavailable(f"{call} is lost")

    async def _answer(self, call: str, charge: Charge, *, is_lost: bool = False) -> ChargeResult:
        state = self.state(charge.id)
        await self.after(call, charge)
        if is_lost:
            raise GatewayUnavailable(f"the response to {call} is lost")
        return ChargeResult(Outcome.DECLINED, ("Unknown charge.",)) if state is None else _RESULTS[state]

    async def _hangs(self, is_hanging: bool) -> None:  # a condition that can be awaited
        if is_hanging:
            self.hanging += 1
            await asyncio.Event().wait()
