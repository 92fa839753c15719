"""Audit rules for checkouts: inputs are readable, holds match the items, and no payment stays pending."""

from collections.abc import Iterator, Sequence

import msgspec

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.held_units import units_held_by
from faregate.checkout.model import Checkout
from faregate.checkout.priced import price_checkout
from faregate.errors import FaregateError, InvalidCheckout, UnknownEntry
from faregate_http.checkouts.stored_inputs import read_inputs
from faregate_http.inventory.slots import is_allowance, text_of
from faregate_http.protocol.instants import from_millis
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.records import PaymentRow
from faregate_server.audit.findings import Finding, Rule, slot_name
from faregate_server.store.snapshots import History

_NOTHING_FOR_SALE = Catalogue()
_PENDING = PaymentState.PENDING.value
_UNDER_WAY = frozenset({_PENDING, PaymentState.AUTHORIZED.value})
_KNOWN = frozenset(state.value for state in PaymentState)


def hold_findings(history: History) -> Iterator[Finding]:
    """Yield a finding for each capacity hold that contradicts the state of its checkout."""
    subject = f"checkout {history.checkout.id}"
    closed = history.checkout.is_closed
    if history.holds and not history.has_holds:
        yield Finding(Rule.HOLDS, subject, f"released its holds, but still has {len(history.holds)}")
    for hold in history.holds:
        if bool(hold.is_sold) is not closed:
            name = slot_name(hold.pool, hold.slot)
            state = "is closed but only holds" if closed else "is not closed but was sold"
            yield Finding(Rule.HOLDS, subject, f"{state} {hold.units} of {name}")


def payment_findings(history: History) -> Iterator[Finding]:
    """Yield a finding for each impossible payment state of a checkout, such as two pending payments."""
    checkout = history.checkout
    subject = f"checkout {checkout.id}"
    if checkout.is_closed and checkout.is_paying:
        yield Finding(Rule.PAYING, subject, "is closed but still being paid for")
    pending = [payment for payment in history.payments if payment.status == _PENDING]
    if pending and not checkout.is_paying:
        yield Finding(Rule.PAYING, subject, f"is not being paid for, but payment {pending[0].id} is PENDING")
    if len(pending) > 1:
        yield Finding(Rule.PAYING, subject, f"has {len(pending)} payments under way")
    if checkout.is_paying and not history.payments:
        yield Finding(Rule.PAYING, subject, "is being paid for but has no payment")
    yield from _states(history.payments)


def _states(payments: Sequence[PaymentRow]) -> Iterator[Finding]:
    for payment in payments:
        if payment.status not in _KNOWN:
            yield Finding(Rule.PAYING, f"payment {payment.id}", f"has the unknown status {payment.status}")
        if payment.status in _UNDER_WAY and payment.due_at is None:
            yield Finding(Rule.PAYING, f"payment {payment.id}", f"is {payment.status} but has no due date")


def checkout_findings(history: History, catalogue: Catalogue | None) -> Iterator[Finding]:
    """Yield findings about a checkout's inputs and, if *catalogue* is given, its prices and holds.

    If the catalogue lacks any of the items, the checkout is not priced and its holds are not checked.
    """
    row = history.checkout
    subject = f"checkout {row.id}"
    sold = catalogue or _NOTHING_FOR_SALE
    try:
        checkout = read_inputs(row.inputs, channel=row.channel, account=row.account, catalogue=sold)
    except (msgspec.MsgspecError, ValueError, ArithmeticError, FaregateError) as error:
        yield Finding(Rule.INPUTS, subject, f"its inputs cannot be read: {error}")
        return
    yield from (Finding(Rule.INPUTS, subject, text) for text in _tree_faults(checkout))
    if catalogue is not None and not row.is_closed:
        yield from _pricing(history, checkout, catalogue)
    if catalogue is not None and (row.is_closed or history.has_holds):
        yield from _places(history, checkout, catalogue)


def _tree_faults(checkout: Checkout) -> Iterator[str]:
    ids = {item.id for item in checkout.items}
    if len(ids) != len(checkout.items):
        yield "an item occurs twice"
    for item in checkout.items:
        if item.parent is not None and item.parent not in ids:
            yield f"item {item.id} refers to the missing parent {item.parent}"


def _pricing(history: History, checkout: Checkout, catalogue: Catalogue) -> Iterator[Finding]:
    try:
        price_checkout(checkout, catalogue=catalogue, at=from_millis(history.checkout.changed_at))
    except (InvalidCheckout, UnknownEntry):  # made with another catalogue; the API reports this too
        return
    except (ValueError, ArithmeticError, FaregateError) as error:
        yield Finding(Rule.INPUTS, f"checkout {history.checkout.id}", f"cannot be priced: {error}")


def _places(history: History, checkout: Checkout, catalogue: Catalogue) -> Iterator[Finding]:
    try:
        wanted = _limited(checkout, catalogue)
    except UnknownEntry:
        return
    held = {(hold.pool, hold.slot): hold.units for hold in history.holds if not is_allowance(hold.slot)}
    for slot in sorted(wanted.keys() | held.keys()):
        if wanted.get(slot, 0) != held.get(slot, 0):
            text = f"{slot_name(*slot)}: items need {wanted.get(slot, 0)}, but it holds {held.get(slot, 0)}"
            yield Finding(Rule.PLACES, f"checkout {history.checkout.id}", text)


def _limited(checkout: Checkout, catalogue: Catalogue) -> dict[tuple[str, str], int]:
    return {
        (slot.pool, text_of(slot)): places
        for slot, places in units_held_by(checkout, catalogue=catalogue).items()
        if catalogue.for_sale(slot.pool, slot.day) is not None
    }
