"""Concurrent changes of payment details: no second default, no detail too many, nothing twice."""

import asyncio
from asyncio import Barrier
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from faregate_http.accounts.accounts import Accounts
from faregate_http.payment.detail_rows import RegistrationRequest
from faregate_http.payment.details import MOST_LIVE, PaymentDetails
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.responses import Response
from faregate_http.retries import Retries
from faregate_http.store.records import PaymentDetailRow, RecordType
from faregate_server.demo.sandbox.gateway import SandboxGateway, SandboxInstrument, sandbox_instrument
from faregate_server.store.opening import open_store
from support.payment.registering import SHOP, new_account
from support.service.service import START, Clock
from support.stores.postgresql import migrated_database
from support.stores.sqlite import new_database
from support.stores.wrapped_store import WrappedStore

ASKED = RegistrationRequest(
    methods=("VIS",),
    channel="7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77",
    language="en",
    success_url=SHOP,
    error_url=SHOP,
    cancel_url=SHOP,
    form_token="token",
)


class MeetingStore(WrappedStore):
    """Store whose callers wait for each other after reading the details for the last time."""

    meeting: Barrier | None = None
    looks = 1

    async def find(self, kind: type[RecordType], **asked: Any) -> list[RecordType]:
        found = await self.inner.find(kind, **asked)
        if self.meeting is not None and kind is PaymentDetailRow and "account" in asked:
            self.looks -= 1
            if not self.looks:
                meeting, self.meeting = self.meeting, None  # once: who decides again is alone
                await meeting.wait()
        return found


class Scene:
    """Two independent services on one database, and an account."""

    def __init__(self, url: str, kind: type[MeetingStore]) -> None:
        self.stores = [kind(open_store(url)) for _ in range(2)]
        self.account = new_account()
        self.details = [
            PaymentDetails(store, SandboxGateway(), Accounts(store, None, Clock()), Clock())
            for store in self.stores
        ]

    async def register(self, n: int = 0, *, is_default: bool = False) -> Response:
        """Begin a registration at one of the services."""
        return await self.details[n].register(
            self.account, ASKED, is_default=is_default, service_url="https://tickets.example"
        )

    async def activate(self, n: int, row: PaymentDetailRow) -> None:
        """Complete a registration at one of the services."""
        card = sandbox_instrument(SandboxInstrument.PAYS, "VIS", at=START)
        await self.details[n].conclude(row.transaction_id, card)

    def meet(self, *, looks: int = 1) -> None:
        """Make both services read *looks* times before either decides."""
        barrier = Barrier(len(self.stores))
        for store in self.stores:
            store.meeting, store.looks = barrier, looks

    async def rows(self) -> list[PaymentDetailRow]:
        """Return the stored details."""
        return await self.stores[0].find(PaymentDetailRow, account=self.account.id)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a migrated database."""
    if request.param == "postgresql":
        with migrated_database() as found:
            yield found
    else:
        yield new_database(tmp_path / "race.db")


def play(
    url: str,
    act: Callable[[Scene], Coroutine[Any, Any, None]],
    *,
    kind: type[MeetingStore] = MeetingStore,
) -> None:
    """Run *act* in its own scene."""

    async def run() -> None:
        # Opening blocks, because it migrates.
        scene = await asyncio.to_thread(Scene, url, kind)
        try:
            await scene.stores[0].save(None, records=[scene.account])
            await act(scene)
        finally:
            for store in scene.stores:
                await store.close()

    asyncio.run(run())


async def both_become_default(scene: Scene) -> list[PaymentDetailRow]:
    """Activate two future defaults at once, and return the resulting defaults."""
    await scene.register(is_default=True)
    await scene.register(is_default=True)
    first, second = await scene.rows()
    scene.meet()
    await asyncio.gather(scene.activate(0, first), scene.activate(1, second))
    rows = await scene.rows()
    assert [row.status for row in rows] == ["ACTIVE", "ACTIVE"]
    return [row for row in rows if row.is_default]


def test_only_one_of_two_concurrent_defaults_becomes_the_default(url: str) -> None:
    async def act(scene: Scene) -> None:
        assert len(await both_become_default(scene)) == 1

    play(url, act)


def test_a_default_unset_during_activation_is_replaced_once(url: str) -> None:
    async def act(scene: Scene) -> None:
        await scene.register(is_default=True)
        [old] = await scene.rows()
        await scene.activate(0, old)
        await scene.register(is_default=True)
        [new] = [row for row in await scene.rows() if row.status == "PENDING"]
        scene.stores[0].meeting = barrier = Barrier(2)
        scene.stores[0].looks = 1

        async def give_up() -> None:
            await barrier.wait()
            unset = partial(scene.details[1].unset_default, scene.account.id, old.id)
            await Retries().until_saved("as where operations are dispatched", unset)

        await asyncio.gather(scene.activate(0, new), give_up())

        assert [row.id for row in await scene.rows() if row.is_default] == [new.id]

    play(url, act)


async def both_are_the_last(scene: Scene) -> list[Response | BaseException]:
    for _ in range(MOST_LIVE - 1):
        await scene.register()
    scene.meet(looks=2)  # once before the call of the gateway, and once afterwards
    return [*await asyncio.gather(scene.register(0), scene.register(1), return_exceptions=True)]


def test_one_of_two_concurrent_registrations_for_the_last_slot_is_refused(url: str) -> None:
    async def act(scene: Scene) -> None:
        results = await both_are_the_last(scene)

        [refused] = [result for result in results if isinstance(result, BaseException)]
        assert isinstance(refused, Problem)
        assert (refused.status, refused.code) == (409, "too-many-payment-details")
        assert len(await scene.rows()) == MOST_LIVE

    play(url, act)
