"""Paying checkouts: money is claimed once, and an order is made of it or all is given back. Decisions §12.

A payment through the gateway has two transactions. The first makes the checkout a paying one, with its
places and what its codes allow claimed; then the gateway is asked, and nothing is locked meanwhile. The
second settles the checkout, or opens it again. Whoever dies in between: the payment is due some seconds
later, and any process asks the gateway what became of it. What cannot be settled any more is given back.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from faregate.checkout.expiry import CheckoutStatus
from faregate.errors import FaregateError, UnknownEntry
from faregate_http.checkouts.records import record_of, row_of, status_of
from faregate_http.checkouts.responses import Audience
from faregate_http.ordering.proposals import not_payable
from faregate_http.payment.details import detail_of
from faregate_http.payment.gateway import ChargeResult, Outcome
from faregate_http.payment.rows import begun, charge_of, ended, failed, is_open, is_repeated
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import unknown_checkout
from faregate_http.protocol.responses import Response
from faregate_http.retries import side_by_side
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.contract import SoldOut, Stale, StoreUnavailable
from faregate_http.store.records import PaymentRow

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from faregate.catalogue.catalogue import Catalogue
    from faregate.checkout.priced import PricedCheckout
    from faregate_http.checkouts.checkouts import CheckoutEdit, Checkouts
    from faregate_http.checkouts.records import CheckoutRecord
    from faregate_http.checkouts.responses import CheckoutResponses
    from faregate_http.inventory.inventory import Inventory
    from faregate_http.ordering.proposals import Proposal, Proposals
    from faregate_http.ordering.settlements import Settlements
    from faregate_http.payment.gateway import Charge, PaymentGateway
    from faregate_http.payment.rows import Instructions
    from faregate_http.protocol.requests import Request
    from faregate_http.store.contract import CheckoutRow, Store

_log = logging.getLogger("faregate.http")

GATEWAY_SECONDS = 10.0
"""So long the gateway is waited for."""

_ASK_AGAIN = timedelta(seconds=5)
_SOON = timedelta(seconds=30)
_AT_THE_LATEST = timedelta(hours=1)

_Result = TypeVar("_Result")

_UNAVAILABLE = ChargeResult(Outcome.DECLINED, ("gateway-unavailable",))
"""What is made of no response: the payment failed, and what the gateway may have done is taken back."""

_IN_VAIN = ChargeResult(Outcome.PENDING)

_KEEPING = frozenset({PaymentState.AUTHORIZED.value, PaymentState.SETTLED.value})
_MONEY = frozenset({Outcome.AUTHORIZED, Outcome.SETTLED})


class _Begun(NamedTuple):
    """A payment that was begun, and the price of its checkout at that revision."""

    payment: PaymentRow
    revision: int
    priced: PricedCheckout

    def price_of(self, row: CheckoutRow) -> PricedCheckout | None:
        """Return the price of *row*; None: it is another revision."""
        return self.priced if row.revision == self.revision else None


@dataclass(eq=False)
class Payments:
    """The payments of a store's checkouts, through *gateway*."""

    store: Store
    checkouts: Checkouts
    responses: CheckoutResponses
    settlements: Settlements
    proposals: Proposals
    inventory: Inventory
    gateway: PaymentGateway
    catalogue: Catalogue
    clock: Callable[[], datetime]

    # ------------------------------------------------------------ a customer pays

    async def pay(
        self, request: Request, expected_total: int, instruct: Callable[[int], Awaitable[Instructions]]
    ) -> Response:
        """Pay the checkout, and answer it as it is then: closed, open again, or still being paid.

        The customer agreed to *expected_total*; *instruct* says how an amount due is paid, or refuses to.

        Raises:
            Problem: 404, 409, 412, it takes no payment; 422, it lacks something; 409 ``total-changed``, it
                costs something else now; 503 ``gateway-unavailable``; no money is taken then. 503
                ``payment-unclear``: what became of it is not known yet.
        """
        begin = partial(self._begin, request, expected_total, instruct)
        begun = await self.checkouts.retries.until_saved(request.checkout_id, begin)
        if isinstance(begun, Response):
            return begun
        try:
            return await self._charged(begun, request)
        except StoreUnavailable as error:
            # The gateway may have been asked: nobody can say that nothing was done.
            _log.error("payment %s is unclear: %s", begun.payment.id, error)
            raise _payment_unclear() from error

    async def _charged(self, begun: _Begun, request: Request) -> Response:
        payment = begun.payment
        result = await self._ask(payment, self.gateway.authorize)
        is_final = result is not None and result.outcome is Outcome.DECLINED
        await self.conclude(payment, result or _UNAVAILABLE, is_final=is_final, begun=begun)
        if result is None:
            [current] = await self.store.find(PaymentRow, id=payment.id)
            if current.status not in _KEEPING:  # nor did anybody else learn of its success
                raise _gateway_unavailable()
        row = await self.store.checkout(payment.checkout_id)
        if row is None:
            raise unknown_checkout()
        return await self._response(row, request, begun.price_of(row))

    async def _response(
        self, row: CheckoutRow, request: Request, priced: PricedCheckout | None = None
    ) -> Response:
        audience = Audience.of(request, row.account)
        return (await self.responses.stored(row, self.clock(), audience, priced)).response

    async def _begin(
        self, request: Request, expected_total: int, instruct: Callable[[int], Awaitable[Instructions]]
    ) -> Response | _Begun:
        row = await self.checkouts.load(request)
        earlier = await self.store.find(PaymentRow, checkout_id=row.id)
        key = request.keyed and f"{request.keyed.scope} {request.keyed.key}"
        if is_repeated(earlier, key, self.clock()):
            # The first request may still have a better response.
            return (await self._response(row, request))._replace(is_stored=True)
        edit = await self.checkouts.opened(row, request)
        proposal = await self.proposals.proposal(edit)
        await self.proposals.check_total(edit, proposal, expected_total)
        instructions = await instruct(proposal.priced.totals.amount_due)
        payment = begun(
            earlier,
            row.id,
            proposal.priced,
            instructions=instructions._replace(key=key),
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
            return await self._response(row, edit.request)
        paying = record._replace(
            is_paying=True, expires_at=max(record.expires_at, from_millis(payment.deadline))
        )
        holds = self.inventory.holds_of(record.checkout, priced.totals)
        await self.store.save(row_of(paying), None, holds, records=[*cancelled, payment])
        return _Begun(payment, record.revision, priced)

    async def _explain(self, refused: SoldOut, record: CheckoutRecord) -> None:
        """Say which places are gone; that a code is used up shows when the checkout is priced again."""
        self.inventory.found_full(refused, record.changed_at)
        try:
            await self.inventory.check_places_of(
                record.checkout, checkout_id=record.uuid, at=record.changed_at
            )
        except FaregateError as error:
            raise not_payable(error) from error

    # ------------------------------------------------------------ the gateway answers

    async def _ask(self, payment: PaymentRow, ask: Callable[[Charge], Awaitable[_Result]]) -> _Result | None:
        """What the gateway says; None: nothing, and nobody knows whether it acted."""
        charge = charge_of(payment, await detail_of(payment, self.store))
        try:
            async with asyncio.timeout(GATEWAY_SECONDS):
                return await ask(charge)
        except Exception as error:  # whatever happens there, here the payment has to end
            _log.warning("payment %s: the gateway does not answer: %s", payment.id, type(error).__name__)
            return None

    async def conclude(
        self,
        payment: PaymentRow,
        result: ChargeResult,
        *,
        is_final: bool = False,
        begun: _Begun | None = None,
    ) -> None:
        """End *payment* as the gateway says, whoever else learns of it at the same time.

        What failed is given back as well, unless it *is_final*: it may have been on its way when the gateway
        was asked. Who has just *begun* the payment hands on its price.

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
        paid = (
            ended(payment, PaymentState.SETTLED)
            if is_taken
            else ended(payment, PaymentState.AUTHORIZED, due_at=at)
        )
        try:
            await self.settlements.settle(record, paid, at=at, priced=priced)
        except (SoldOut, FaregateError) as error:  # nothing was sold: give the money back
            _log.warning("payment %s cannot be settled: %s", payment.id, type(error).__name__)
            unpaid = ended(payment, PaymentState.FAILED, errors=["not-available-any-more"], due_at=at)
            await self._give_up(row, unpaid, at)

    async def _give_up(self, row: CheckoutRow, payment: PaymentRow, at: datetime) -> None:
        record = record_of(row, at, catalogue=self.catalogue)
        if record.is_paying and record.status is CheckoutStatus.OPEN:
            with suppress(UnknownEntry):  # its channel is gone: nobody can open it again
                is_scarce = await self.checkouts.is_scarce(record.checkout, None, at)
                moment = max(at, record.changed_at)
                reopened = self.checkouts.changed(record, record.checkout, moment, is_scarce=is_scarce)
                await self.settlements.open_again(reopened, payment)
                return
        await self.store.save(None, records=[payment])

    # ------------------------------------------------------------ what is left over

    async def work(self) -> int:
        """Do what is due about payments; how many there were.

        Raises:
            StoreUnavailable: they cannot be read or written.
        """
        due = await self.store.due(PaymentRow, millis(self.clock()))
        await side_by_side(self._attempt, due)
        return len(due)

    async def _attempt(self, payment: PaymentRow) -> None:
        try:
            with suppress(Stale):  # another process is at it
                await self._work_on(payment)
        except StoreUnavailable:
            raise
        except Exception as error:  # whatever it is, the others are not to wait for this one
            _log.error("payment %s cannot be ended: %s", payment.id, error, exc_info=error)
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
            _log.error("payment %s was authorized, and cannot be captured", payment.id)
        await self._postpone(payment, self._patience(payment))

    async def _give_back(self, payment: PaymentRow) -> None:
        is_done = await self._ask(payment, self._cancel)
        if is_done:
            await self.store.save(None, records=[ended(payment, PaymentState(payment.status))])
        else:
            await self._postpone(payment, self._patience(payment))

    def _patience(self, payment: PaymentRow) -> timedelta:
        """How long to leave a payment alone that could not be ended: the longer, the older it is."""
        age = self.clock() - from_millis(payment.created_at)
        return min(max(age / 4, _SOON), _AT_THE_LATEST)

    async def _cancel(self, charge: Charge) -> bool:
        await self.gateway.cancel(charge)
        return True

    async def _postpone(self, payment: PaymentRow, by: timedelta) -> None:
        later = ended(payment, PaymentState(payment.status), due_at=self.clock() + by)
        await self.store.save(None, records=[later])


def _payment_unclear() -> Problem:
    """The gateway was asked, and nobody can say any more what came of it."""
    return Problem(503, "payment-unclear", retry_after=2)


def _gateway_unavailable() -> Problem:
    """The gateway said nothing, and all was given back."""
    return Problem(503, "gateway-unavailable", retry_after=5)
