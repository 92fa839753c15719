"""Audit rules for paid checkouts: the order, its payment, its tickets and its codes."""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from faregate.checkout.code_limits import LimitKind
from faregate.documents.verification import Verification, verify
from faregate.errors import FaregateError
from faregate.totals.pipeline import CheckoutTotals
from faregate.translations import LANGUAGES
from faregate_http.inventory.slots import is_allowance
from faregate_http.ordering.ticketing import FAILED, ISSUED, MOST_ATTEMPTS, OPEN
from faregate_http.payment.rows import vouchers_of
from faregate_http.protocol.stored_responses import unpack
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.contract import CheckoutRow
from faregate_http.store.records import OrderRow, PaymentRow, TicketRow
from faregate_server.audit.figures import Figures, figure_faults, read_figures
from faregate_server.audit.findings import Finding, Rule, slot_name
from faregate_server.store.snapshots import History

_GOOD = frozenset({PaymentState.AUTHORIZED.value, PaymentState.SETTLED.value})


def order_findings(history: History) -> Iterator[Finding]:
    """Yield findings about a checkout whose order is missing or contradicts related rows."""
    good = [payment for payment in history.payments if payment.status in _GOOD]
    if history.order is None:
        return _without_order(history.checkout, good)
    return _of_order(history, history.order, good)


def _without_order(checkout: CheckoutRow, good: Sequence[PaymentRow]) -> Iterator[Finding]:
    if checkout.is_closed:
        yield Finding(Rule.SETTLED, f"checkout {checkout.id}", "is closed but has no order")
    for payment in good:
        yield Finding(Rule.SETTLED, f"payment {payment.id}", f"is {payment.status} but has no order")


def _of_order(history: History, order: OrderRow, good: Sequence[PaymentRow]) -> Iterator[Finding]:
    subject = f"order {order.id}"
    yield from _named(Rule.SETTLED, subject, _checkout_faults(history.checkout, order))
    if len(good) != 1:
        yield Finding(Rule.PAID, subject, f"expected 1 payment, got {len(good)}")
    yield from _named(Rule.FIGURES, subject, _view_faults(order))
    try:
        figures = read_figures(order.figures)
    except ValueError as error:
        yield Finding(Rule.FIGURES, subject, f"its figures cannot be read: {error}")
        return
    yield from _named(Rule.TICKETS, subject, _ticket_faults(history.tickets, figures))
    try:
        price = verify(msgspec.json.decode(order.pricing))
        yield from _named(Rule.FIGURES, subject, figure_faults(figures, order, price.totals))
    except (msgspec.MsgspecError, FaregateError) as error:
        yield Finding(Rule.FIGURES, subject, f"its price cannot be computed again: {error}")
        return
    yield from _named(Rule.FIGURES, subject, _price_faults(order, price))
    for payment in good:
        yield from _named(Rule.PAID, subject, _payment_faults(payment, order, price.totals))
    yield from _named(Rule.CODES, subject, _code_faults(history, price.totals))


def _named(rule: Rule, subject: str, texts: Iterator[str]) -> Iterator[Finding]:
    return (Finding(rule, subject, text) for text in texts)


def _checkout_faults(checkout: CheckoutRow, order: OrderRow) -> Iterator[str]:
    if not checkout.is_closed:
        yield "its checkout is not closed"
    if checkout.account != order.account:
        yield "its checkout belongs to another account"


def _view_faults(order: OrderRow) -> Iterator[str]:
    try:
        views = unpack(order.views)
    except (zlib.error, msgspec.MsgspecError, TypeError) as error:
        yield f"its views cannot be read: {error}"
        return
    if set(views) != set(LANGUAGES):
        yield f"it can only be shown in {', '.join(sorted(views))}"
    elif views["en"] != order.figures.encode():
        yield "its views do not show the figures that it stores"


def _price_faults(order: OrderRow, price: Verification) -> Iterator[str]:
    if price.difference is not None:
        loc = ".".join(map(str, price.difference.loc))
        yield f"{loc} of its price: expected {price.difference.computed}, got {price.difference.stored}"
    elif price.totals.total_gross != order.total:
        yield f"total: expected {order.total}, but its price says {price.totals.total_gross}"


def _payment_faults(payment: PaymentRow, order: OrderRow, totals: CheckoutTotals) -> Iterator[str]:
    try:
        vouchers = vouchers_of(payment)
    except msgspec.MsgspecError as error:
        yield f"the vouchers of payment {payment.id} cannot be read: {error}"
        return
    paid = payment.amount + sum(amount for _, amount in vouchers)
    if (paid, payment.currency) != (order.total, order.currency):
        costs = f"{order.total} {order.currency}"
        yield f"costs {costs}, but payment {payment.id} pays {paid} {payment.currency}"
    if sorted(vouchers) != sorted((code, amount) for code, amount in _redeemed(totals).items() if amount):
        yield f"its price and payment {payment.id} have different vouchers"


def _ticket_faults(tickets: Sequence[TicketRow], figures: Figures) -> Iterator[str]:
    issued = Counter(ticket.item_id for ticket in tickets)
    wanted = Counter(item.id for item in figures.items)
    for item_id in sorted((wanted | issued).keys()):
        if issued[item_id] != wanted[item_id]:
            yield f"item {item_id}: expected {wanted[item_id]} tickets, got {issued[item_id]}"
    for ticket in tickets:
        if ticket.id != f"{ticket.order_id}/{ticket.item_id}" or not _is_possible(ticket):
            state = f"{ticket.status} after {ticket.attempts} attempts"
            yield f"ticket {ticket.id} is {state}, which is impossible"


def _is_possible(ticket: TicketRow) -> bool:
    is_to_come = ticket.status == OPEN and ticket.due_at is not None
    is_issued = ticket.status == ISSUED and ticket.serial is not None
    has_ended = is_issued or ticket.status == FAILED
    return 0 <= ticket.attempts <= MOST_ATTEMPTS and (is_to_come or has_ended)


def _code_faults(history: History, totals: CheckoutTotals) -> Iterator[str]:
    sold = {(hold.pool, hold.slot): hold.units for hold in history.holds if is_allowance(hold.slot)}
    # A code can be unlimited; a balance cannot.
    drawn = {(code, LimitKind.BALANCE.value): 0 for code, amount in _redeemed(totals).items() if amount}
    for (code, slot), units in {**drawn, **sold}.items():
        taken = _taken(totals, code, slot)
        if units != taken:
            yield f"{slot_name(code, slot)}: {units} sold, but {taken} in its price"


def _taken(totals: CheckoutTotals, code: str, slot: str) -> int:
    """Return the uses or the amount that an order counts against *slot*, which is a limit of *code*."""
    if slot == LimitKind.BALANCE.value:
        return _redeemed(totals).get(code, 0)
    amounts = {result.code: result.total_amount for result in totals.promo_codes if result.valid}
    return int(code in amounts) if slot == LimitKind.USES.value else amounts.get(code, 0)


def _redeemed(totals: CheckoutTotals) -> dict[str, int]:
    return {paid.voucher.code: paid.amount for paid in totals.vouchers}
