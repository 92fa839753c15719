"""Payments for checkouts: money is taken once, or everything is reversed. Decisions §12.

A payment through the gateway has two transactions. The first marks the checkout as being paid for and claims
capacity and code limits. The gateway is called next, without any lock. The second settles the checkout or
opens it again. If a process stops in between, the payment is due some seconds later, and any process can then
ask the gateway for the result. A payment that cannot be settled is refunded.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

from faregate.checkout.expiry import CheckoutStatus
from faregate.checkout.priced import PricedCheckout
from faregate.errors import FaregateError, UnknownEntry
from faregate_http.admission.queueing import waiting_elsewhere
from faregate_http.checkouts.checkouts import CheckoutEdit, Checkouts
from faregate_http.checkouts.records import CheckoutRecord, record_of, row_of, status_of
from faregate_http.checkouts.responses import Audience
from faregate_http.ordering.proposals import Proposal, check_total, not_payable, proposal_of
from faregate_http.ordering.settlements import Settlements
from faregate_http.payment.details import detail_of
from faregate_http.payment.gateway import Charge, ChargeResult, Outcome, PaymentGateway
from faregate_http.payment.rows import (
    Instructions,
    begun,
    charge_of,
    ended,
    failed,
    is_open,
    is_repeated,
    waits_for_customer,
)
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import Request, unknown_checkout
from faregate_http.protocol.responses import Response
from faregate_http.retries import side_by_side
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.contract import CheckoutRow, SoldOut, Stale, StoreUnavailable
from faregate_http.store.records import PaymentRow

_log = logging.getLogger("faregate.http")

GATEWAY_SECONDS = 10.0
"""Timeout of requests to the gateway, in seconds."""

_ASK_AGAIN = timedelta(seconds=5)
_SOON = timedelta(seconds=30)
_AT_THE_LATEST = timedelta(hours=1)

_Result = TypeVar("_Result")

Instruct: TypeAlias = "Callable[[int, frozenset[int | None]], Awaitable[Instructions]]"
"""Function that returns payment instructions for an amount due, given the ids of details already tried."""

_UNAVAILABLE = ChargeResult(Outcome.DECLINED, ("gateway-unavailable",))
"""Result assumed when the gateway does not respond: the payment fails, and any charge is cancelled."""

_IN_VAIN = ChargeResult(Outcome.PENDING)

_KEEPING = frozenset({PaymentState.AUTHORIZED.value, PaymentState.SETTLED.value})
_MONEY = frozenset({Outcome.AUTHORIZED, Outcome.SETTLED})


class _Begun(NamedTuple):
    """A payment that has begun, and the price of its checkout at the revision being paid for."""

    payment: PaymentRow
    revision: int
    priced: PricedCheckout

    def price_of(self, row: CheckoutRow) -> PricedCheckout | None:
        """Return the price of the checkout in *row*, or None if *row* has another revision."""
        return self.priced if row.revision == self.revision else None


@dataclass(eq=False)
class Payments:
    """Payments for *checkouts*, through *gateway*."""

    checkouts: Checkouts
    settlements: Settlements
    gateway: PaymentGateway
    outcomes: Counter[PaymentState] = field(default_factory=Counter)
    """Number of payments that this process ended, by state; an authorized one is captured later."""

    def __post_init__(self) -> None:
        self.store, self.inventory = self.checkouts.store, self.checkouts.inventory
        self.catalogue, self.clock = self.checkouts.catalogue, self.checkouts.clock

    # ------------------------------------------------------------ a new payment

    async def pay(
        self, request: Request, expected_total: int, instruct: Instruct, service_url: str
    ) -> Response:
        """Pay for the checkout and respond with its new state: closed, open again, or still being paid for.

        The customer agreed to *expected_total*. *instruct* returns instructions to pay the amount due. A
        customer who has to confirm the payment reaches this service at *service_url*.

        Raises:
            Problem: 404, 409 or 412, the checkout cannot be paid; 422, something is missing; 409
                ``total-changed``, the total differs; 503 ``gateway-unavailable``: in all these cases no money
                is taken. 503 ``payment-unclear``: the result is not known yet.
        """
        begin = partial(self._begin, request, expected_total, instruct)
        begun = await self.checkouts.retries.until_saved(request.checkout_id, begin)
        if isinstance(begun, Response):
            return begun
        try:
            return await self._charged(begun, request, service_url)
        except StoreUnavailable as error:
            # The gateway may have been called, so the response cannot say that nothing was done.
            _log.error("payment %s: result unknown: %s", begun.payment.id, error)
            raise Problem(503, "payment-unclear", retry_after=2) from error

    async def _charged(self, begun: _Begun, request: Request, service_url: str) -> Response:
        payment = begun.payment
        result = await self._ask(payment, self.gateway.authorize, service_url)
        is_final = result is not None and result.outcome is Outcome.DECLINED
        await self.conclude(payment, result or _UNAVAILABLE, is_final=is_final, begun=begun)
        if result is None:
            [current] = await self.store.find(PaymentRow, id=payment.id)
            if current.status not in _KEEPING:  # no other process has saved a success either
                raise Problem(503, "gateway-unavailable", retry_after=5)
        row = await self.store.checkout(payment.checkout_id)
        if row is None:
            raise unknown_checkout()
        return await self._response(row, request, begun.price_of(row))

    async def _response(
        self, row: CheckoutRow, request: Request, priced: PricedCheckout | None = None
    ) -> Response:
        audience = Audience.of(request, row.account)
        return (await self.checkouts.responses.stored(row, self.clock(), audience, priced)).response

    async def _begin(self, request: Request, expected_total: int, instruct: Instruct) -> Response | _Begun:
        row = await self.checkouts.load(request)
        earlier = await self.store.find(PaymentRow, checkout_id=row.id)
        key = request.keyed and f"{request.keyed.scope} {request.keyed.key}"
        if is_repeated(earlier, key, self.clock()):
            # Not stored: the first request may still save a more precise response.
            return (await self._response(row, request))._replace(is_stored=True)
        edit = await self.checkouts.opened(row, request)
        proposal = await proposal_of(edit)
        await check_total(edit, proposal, expected_total)
        tried = frozenset(payment.detail_id for payment in earlier)
        instructions = await instruct(proposal.priced.totals.amount_due, tried)
        payment = begun(
            earlier,
            row.id,
            proposal.priced,
            instructions=instructions._replace(key=key, language=request.language),
            at=edit.at,
        )
        try:
            return await self._saved(edit, proposal, payment)
        except SoldOut as refused:
            await self._explain(refused, proposal.record)
            raise

    async def _saved(self, edit: CheckoutEdit, proposal: Proposal, payment: PaymentRow) -> Response | _Begun:
        record, priced, _ = proposal
        cancelled = edit.cancelled()
        if payment.status == PaymentState.SETTLED.value:
            row = await self.settlements.settle(record, payment, at=edit.at, records=cancelled, priced=priced)
            self._count(payment)
            return await self._response(row, edit.request)
        paying = record._replace(
            is_paying=True, expires_at=max(record.expires_at, from_millis(payment.deadline))
        )
        holds = self.inventory.holds_of(record.checkout, priced.totals)
        await self.store.save(row_of(paying), None, holds, records=[*cancelled, payment])
        return _Begun(payment, record.revision, priced)

    async def _explain(self, refused: SoldOut, record: CheckoutRecord) -> None:
        """Raise a problem if *record* lacks capacity; a used-up code is reported at its next pricing."""
        self.inventory.found_full(refused, record.changed_at)
        try:
            await self.inventory.check_places_of(
                record.checkout, checkout_id=record.uuid, at=record.changed_at
            )
        except FaregateError as error:
            raise not_payable(error) from error

    # ------------------------------------------------------------ the gateway's result

    async def concluded(self, payment_id: str, result: ChargeResult) -> PaymentRow | None:
        """End a payment with *result* and return its current state, or None if it does not exist.

        Called when a customer confirms the payment on a page, and when the gateway sends a notification.

        Raises:
            StoreUnavailable: nothing could be saved; the payment is still due.
        """
        for payment in await self.store.find(PaymentRow, id=payment_id):
            await self.conclude(payment, result)
        return next(iter(await self.store.find(PaymentRow, id=payment_id)), None)

    async def _ask(
        self, payment: PaymentRow, ask: Callable[[Charge], Awaitable[_Result]], service_url: str = ""
    ) -> _Result | None:
        """Return the result of the gateway call *ask*, or None if it is unknown whether the gateway acted."""
        charge = charge_of(payment, await detail_of(payment, self.store), service_url)
        try:
            with waiting_elsewhere():
                async with asyncio.timeout(GATEWAY_SECONDS):
                    return await ask(charge)
        except Exception as error:  # the payment must end whatever the gateway raises
            _log.warning("payment %s: the gateway does not respond: %s", payment.id, type(error).__name__)
            return None

    async def conclude(
        self,
        payment: PaymentRow,
        result: ChargeResult,
        *,
        is_final: bool = False,
        begun: _Begun | None = None,
    ) -> None:
        """End *payment* with the gateway's *result*; concurrent calls are safe.

        Unless *is_final*, a failed payment is also cancelled at the gateway, because a charge may still
        arrive. The request that began the payment passes *begun*, so that nothing is priced again.

        Raises:
            StoreUnavailable: nothing could be saved; the payment is still due.
        """
        decide = partial(self._conclude, payment, result, is_final=is_final, begun=begun)
        await self.checkouts.retries.until_saved(payment.checkout_id, decide)

    async def _conclude(
        self, payment: PaymentRow, result: ChargeResult, *, is_final: bool, begun: _Begun | None
    ) -> None:
        row = await self.store.checkout(payment.checkout_id)
        [payment] = await self.store.find(PaymentRow, id=payment.id)
        if row is None:
            return
        at = self.clock()
        if payment.status != PaymentState.PENDING.value:
            if result.outcome in _MONEY and payment.status not in _KEEPING:
                await self._postpone(payment, timedelta())
            return
        if result.outcome is Outcome.PENDING and is_open(payment, at):
            waiting = waits_for_customer(payment, result)
            if waiting is not None:
                await self.store.save(None, records=[waiting])
            return
        if result.outcome not in _MONEY:
            await self._give_up(row, failed(payment, result, at, is_final=is_final), at)
        elif is_open(payment, at) and row.is_paying and status_of(row, at) is CheckoutStatus.OPEN:
            await self._settle(row, payment, result, at, begun and begun.price_of(row))
        else:
            await self._give_up(row, ended(payment, PaymentState.CANCELLED, due_at=at), at)

    async def _settle(
        self,
        row: CheckoutRow,
        payment: PaymentRow,
        result: ChargeResult,
        at: datetime,
        priced: PricedCheckout | None,
    ) -> None:
        record = record_of(row, at, catalogue=self.catalogue)._replace(revision=row.revision + 1)
        is_taken = result.outcome is Outcome.SETTLED
        paid = ended(payment, PaymentState(result.outcome.value), due_at=None if is_taken else at)
        try:
            await self.settlements.settle(record, paid, at=at, priced=priced)
            self._count(paid)
        except (SoldOut, FaregateError) as error:  # nothing was sold: refund the money
            _log.warning("payment %s cannot be settled: %s", payment.id, type(error).__name__)
            unpaid = ended(payment, PaymentState.FAILED, errors=["not-available-any-more"], due_at=at)
            await self._give_up(row, unpaid, at)

    async def _give_up(self, row: CheckoutRow, payment: PaymentRow, at: datetime) -> None:
        record = record_of(row, at, catalogue=self.catalogue)
        if record.is_paying and record.status is CheckoutStatus.OPEN:
            with suppress(UnknownEntry):  # without its channel, the checkout cannot be reopened
                is_scarce = await self.checkouts.is_scarce(record.checkout, None, at)
                moment = max(at, record.changed_at)
                reopened = self.checkouts.changed(record, record.checkout, moment, is_scarce=is_scarce)
                await self.settlements.open_again(reopened, payment)
                self._count(payment)
                return
        await self.store.save(None, records=[payment])
        self._count(payment)

    def _count(self, payment: PaymentRow) -> None:
        self.outcomes[PaymentState(payment.status)] += 1

    # ------------------------------------------------------------ due payments

    async def work(self) -> int:
        """Process all due payments, and return how many there were.

        Raises:
            StoreUnavailable: the payments cannot be read or written.
        """
        due = await self.store.due(PaymentRow, millis(self.clock()))
        await side_by_side(self._attempt, due)
        return len(due)

    async def _attempt(self, payment: PaymentRow) -> None:
        try:
            with suppress(Stale):  # another process handles the payment
                await self._work_on(payment)
        except StoreUnavailable:
            raise
        except Exception as error:  # after any error, the other payments must go on
            _log.error("payment %s could not be completed: %s", payment.id, error, exc_info=error)
            await self._postpone(payment, self._patience(payment))

    async def _work_on(self, payment: PaymentRow) -> None:
        match PaymentState(payment.status):
            case PaymentState.PENDING:
                await self._inquire(payment)
            case PaymentState.AUTHORIZED:
                await self._capture(payment)
            case _:
                await self._give_back(payment)

    async def _inquire(self, payment: PaymentRow) -> None:
        if not is_open(payment, self.clock()):
            await self.conclude(payment, _IN_VAIN)
            return
        result = await self._ask(payment, self.gateway.inquire)
        if result is None or result.outcome is Outcome.PENDING:
            await self._postpone(payment, _ASK_AGAIN)
        else:
            await self.conclude(payment, result)

    async def _capture(self, payment: PaymentRow) -> None:
        result = await self._ask(payment, self.gateway.capture)
        if result is not None and result.outcome is Outcome.SETTLED:
            await self.store.save(None, records=[ended(payment, PaymentState.SETTLED)])
            return
        if result is not None and result.outcome is Outcome.DECLINED:
            _log.error("payment %s was authorized but cannot be captured", payment.id)
        await self._postpone(payment, self._patience(payment))

    async def _give_back(self, payment: PaymentRow) -> None:
        is_done = await self._ask(payment, self._cancel)
        if is_done:
            await self.store.save(None, records=[ended(payment, PaymentState(payment.status))])
        else:
            await self._postpone(payment, self._patience(payment))

    def _patience(self, payment: PaymentRow) -> timedelta:
        """Return the pause before the next attempt on *payment*; it grows with the payment's age."""
        age = self.clock() - from_millis(payment.created_at)
        return min(max(age / 4, _SOON), _AT_THE_LATEST)

    async def _cancel(self, charge: Charge) -> bool:
        await self.gateway.cancel(charge)
        return True

    async def _postpone(self, payment: PaymentRow, by: timedelta) -> None:
        later = ended(payment, PaymentState(payment.status), due_at=self.clock() + by)
        await self.store.save(None, records=[later])
