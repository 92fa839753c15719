"""Known faults of the database of a used shop, and the findings that a sweep must report."""

from collections.abc import Callable
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate_http.protocol.stored_responses import pack, unpack
from faregate_server.audit.findings import Finding, Rule
from faregate_server.audit.sweep import Sweep
from support.payment.used_shop import Used
from support.service.service import Json
from support.stores.spoiling import edit, edit_figures, edit_inputs, spoil, value_of


class Stage(NamedTuple):
    """A used shop without writers."""

    url: str
    used: Used

    def found(self, catalogue: Catalogue | None = None) -> list[Finding]:
        return [*Sweep(self.url, catalogue=catalogue)]


Spoil = Callable[[Stage], None]


def past(*statements: str) -> Spoil:
    """Return a statement runner without constraints; names in braces are ids of the used shop."""
    return lambda stage: spoil(stage.url, *(text.format(**stage.used._asdict()) for text in statements))


def plainly(*statements: str) -> Spoil:
    """Return a statement runner with all constraints."""
    return lambda stage: edit(stage.url, *(text.format(**stage.used._asdict()) for text in statements))


def figures(change: Callable[[Json], object]) -> Spoil:
    return lambda stage: edit_figures(stage.url, stage.used.order, lambda figures: change(figures["data"]))


def views(change: Callable[[dict[str, bytes]], object]) -> Spoil:
    """Return a change of an order's views; SQLite only."""

    def spoiling(stage: Stage) -> None:
        bodies = unpack(value_of(stage.url, f"SELECT views FROM orders WHERE id = '{stage.used.order}'"))
        change(bodies)
        edit(stage.url, f"UPDATE orders SET views = x'{pack(bodies).hex()}' WHERE id = '{stage.used.order}'")

    return spoiling


def pricing(former: str, new: str) -> Spoil:
    """Return a change of a text in an order's stored price."""
    return plainly(
        f"UPDATE orders SET pricing = replace(pricing, '{former}', '{new}') WHERE id = '{{order}}'"
    )


def inputs(change: Callable[[Json], object]) -> Spoil:
    return lambda stage: edit_inputs(stage.url, stage.used.open, change)


_COPY_PAYMENT = """
    INSERT INTO payments (id, revision, created_at, checkout_id, status, provider, amount, currency,
        vouchers, errors, deadline, language, due_at)
    SELECT {id}, revision, created_at, checkout_id, status, provider, amount, currency,
        vouchers, errors, deadline, language, due_at FROM payments WHERE checkout_id = {of}
"""


def copy_payment(of: str) -> Spoil:
    return plainly(_COPY_PAYMENT.replace("{id}", "'another'").replace("{of}", f"'{{{of}}}'"))


class Issue(NamedTuple):
    """A fault, the rules it breaks, and words of one finding."""

    spoil: Spoil
    rules: set[Rule]
    words: str

    def is_among(self, findings: list[Finding], used: Used) -> bool:
        """Return whether a finding has these words."""
        words = self.words.format(**used._asdict())
        return any(words in f"{subject}: {text}" for _, subject, text in findings)


F, P, S, C = Rule.FIGURES, Rule.PAID, Rule.SETTLED, Rule.CAPACITY

FAULTS = {
    # figures of an order
    "item-total": Issue(figures(lambda data: data["items"][0].update(totalGross=41)), {F}, "totalGross"),
    "checkout-total": Issue(figures(lambda data: data.update(totalGross=0.5)), {F}, "totalGross"),
    "donation": Issue(figures(lambda data: data["donation"].update(amount=4)), {F}, "donation: expected"),
    "code-amount": Issue(
        figures(lambda data: data["promoCodes"][0].update(totalAmount=1)),
        {F},
        "promoCodes ON...: expected [{{'valid': True, 'totalAmount': 5}}], got",
    ),
    "half-a-cent": Issue(figures(lambda data: data.update(totalNet=1.005)), {F}, "got 1.005"),
    "no-figures": Issue(
        plainly("UPDATE orders SET figures = '{{' WHERE id = '{order}'"), {F}, "cannot be read"
    ),
    "stored-price": Issue(pricing('"amountDue":', '"amountDue":1'), {F}, "amountDue of its price: expected"),
    "other-price": Issue(
        plainly(
            "UPDATE orders SET pricing = (SELECT pricing FROM orders WHERE id = '{gift}')"
            " WHERE id = '{order}'"
        ),
        {F, P, Rule.CODES},
        "but its price says 4000",
    ),
    "no-price": Issue(
        plainly("UPDATE orders SET pricing = '{{}}'"), {F}, "its price cannot be computed again"
    ),
    "lost-item": Issue(
        figures(lambda data: data["items"].pop()), {F, Rule.TICKETS}, "expected 0 tickets, got 1"
    ),
    "status": Issue(figures(lambda data: data.update(status="OPEN")), {F}, "expected CLOSED"),
    "reference": Issue(
        figures(lambda data: data.update(referenceNumber="X")), {F}, "referenceNumber: expected"
    ),
    "other-uuid": Issue(figures(lambda data: data.update(uuid="X")), {F}, "id: expected"),
    "one-language": Issue(views(lambda bodies: bodies.pop("it")), {F}, "can only be shown in de, en, fr"),
    "other-view": Issue(views(lambda bodies: bodies.update(en=b"{}")), {F}, "views do not show the figures"),
    "views": Issue(plainly("UPDATE orders SET views = '' WHERE id = '{order}'"), {F}, "views"),
    "total": Issue(plainly("UPDATE orders SET total = total + 1 WHERE id = '{order}'"), {F, P}, "total:"),
    # orders and payments
    "no-order": Issue(
        past(
            "DELETE FROM tickets WHERE order_id = '{authorized}'",
            "DELETE FROM orders WHERE id = '{authorized}'",
        ),
        {S},
        "has no order",
    ),
    "opened-again": Issue(
        plainly("UPDATE checkouts SET is_closed = false WHERE id = '{order}'"),
        {S, Rule.HOLDS},
        "its checkout is not closed",
    ),
    "other-account": Issue(plainly("UPDATE orders SET account = 7 WHERE id = '{gift}'"), {S}, "account"),
    "paid-and-open": Issue(
        plainly("UPDATE payments SET status = 'SETTLED' WHERE checkout_id = '{declined}'"),
        {S},
        "is SETTLED but has no order",
    ),
    "paid-twice": Issue(copy_payment("order"), {P}, "expected 1 payment, got 2"),
    "unpaid": Issue(plainly("DELETE FROM payments WHERE checkout_id = '{gift}'"), {P}, "got 0"),
    "paid-too-little": Issue(
        plainly("UPDATE payments SET amount = amount - 1 WHERE checkout_id = '{order}'"), {P}, "pays"
    ),
    "other-currency": Issue(
        plainly("UPDATE payments SET currency = 'EUR' WHERE checkout_id = '{order}'"), {P}, "EUR"
    ),
    "other-vouchers": Issue(
        plainly("UPDATE payments SET vouchers = '[[\"RICH\",4000]]' WHERE checkout_id = '{gift}'"),
        {P},
        "different vouchers",
    ),
    "broken-vouchers": Issue(
        plainly("UPDATE payments SET vouchers = '[' WHERE checkout_id = '{gift}'"), {P}, "cannot be read"
    ),
    # payments under way
    "not-paying": Issue(
        plainly("UPDATE checkouts SET is_paying = false WHERE id = '{pending}'"),
        {Rule.PAYING},
        "is not being paid",
    ),
    "paying-twice": Issue(copy_payment("pending"), {Rule.PAYING}, "2 payments under way"),
    "paying-with-nothing": Issue(
        plainly("UPDATE checkouts SET is_paying = true WHERE id = '{open}'"),
        {Rule.PAYING},
        "has no payment",
    ),
    "closed-and-paying": Issue(
        plainly("UPDATE checkouts SET is_paying = true WHERE id = '{gift}'"),
        {Rule.PAYING},
        "still being paid",
    ),
    "never-due": Issue(
        plainly("UPDATE payments SET due_at = NULL WHERE checkout_id = '{pending}'"),
        {Rule.PAYING},
        "is PENDING but has no due date",
    ),
    "no-state": Issue(
        plainly("UPDATE payments SET status = 'LOST' WHERE checkout_id = '{declined}'"),
        {Rule.PAYING},
        "has the unknown status LOST",
    ),
    # tickets
    "ticket-gone": Issue(
        plainly("DELETE FROM tickets WHERE order_id = '{order}' AND item_id = 1"),
        {Rule.TICKETS},
        "item 1: expected 1 tickets, got 0",
    ),
    "ticket-twice": Issue(
        plainly("INSERT INTO tickets VALUES ('x', 1, 0, '{gift}', 1, 'ISSUED', 1, 'T', NULL, NULL)"),
        {Rule.TICKETS},
        "item 1: expected 1 tickets, got 2",
    ),
    "ticket-of-another": Issue(
        plainly("UPDATE tickets SET id = 'x' WHERE id = '{gift}/1'"), {Rule.TICKETS}, "ticket x is ISSUED"
    ),
    "ticket-forgotten": Issue(
        plainly("UPDATE tickets SET status = 'OPEN', serial = NULL WHERE id = '{gift}/1'"),
        {Rule.TICKETS},
        "is OPEN",
    ),
    "ticket-without-number": Issue(
        plainly("UPDATE tickets SET serial = NULL WHERE id = '{gift}/1'"), {Rule.TICKETS}, "is ISSUED"
    ),
    "ticket-of-no-state": Issue(
        plainly("UPDATE tickets SET status = 'LOST' WHERE id = '{gift}/1'"), {Rule.TICKETS}, "is LOST"
    ),
    "tried-too-often": Issue(
        plainly("UPDATE tickets SET attempts = 4 WHERE id = '{gift}/2'"), {Rule.TICKETS}, "after 4 attempts"
    ),
    # holds and sales
    "miscounted": Issue(
        past("UPDATE capacity SET held = held - 1 WHERE held = 2"), {C}, "its holds add up to 0 and 2"
    ),
    "sold-for-nothing": Issue(
        past("UPDATE capacity SET sold = sold - 1 WHERE pool = 'bridge'"), {C}, "its holds add up to 1 and 0"
    ),
    "hold-gone": Issue(past("DELETE FROM holds WHERE checkout_id = '{open}'"), {C}, "add up to 0 and 0"),
    "let-go": Issue(
        past("UPDATE checkouts SET has_holds = false WHERE id = '{open}'"), {Rule.HOLDS}, "released its holds"
    ),
    "sold-and-open": Issue(
        plainly("UPDATE holds SET is_sold = true WHERE checkout_id = '{open}'"),
        {Rule.HOLDS},
        "is not closed but was sold 2 of cabin 2026-12-28",
    ),
    "held-and-closed": Issue(
        plainly("UPDATE holds SET is_sold = false WHERE checkout_id = '{gift}' AND pool = 'RICH'"),
        {Rule.HOLDS},
        "only holds 1000 of balance of RI...",
    ),
    "not-drawn": Issue(
        plainly("DELETE FROM holds WHERE checkout_id = '{gift}' AND pool = 'RICH'"),
        {Rule.CODES},
        "balance of RI...: 0 sold, but 1000 in its price",
    ),
    "drawn-too-much": Issue(
        plainly("UPDATE holds SET units = units + 1 WHERE checkout_id = '{gift}' AND pool = 'RICH'"),
        {Rule.CODES},
        "1001 sold, but 1000 in its price",
    ),
    "used-for-nothing": Issue(
        plainly("UPDATE holds SET checkout_id = '{gift}' WHERE pool = 'ONCE'"),
        {Rule.CODES},
        "uses of ON...: 1 sold, but 0 in its price",
    ),
    # inputs of checkouts
    "broken-inputs": Issue(
        plainly("UPDATE checkouts SET inputs = '{{' WHERE id = '{open}'"), {Rule.INPUTS}, "cannot be read"
    ),
    "impossible-rate": Issue(
        inputs(lambda kept: kept["items"][0].update(vatPartsPerMillion=-1)), {Rule.INPUTS}, "cannot be read"
    ),
    "orphan": Issue(
        inputs(lambda kept: kept["items"][0].update(parent=9)), {Rule.INPUTS}, "missing parent 9"
    ),
    "twins": Issue(inputs(lambda kept: kept["items"][0].update(id=5)), {Rule.INPUTS}, "twice"),
    # constraints of the tables
    "payment-of-nothing": Issue(
        past("UPDATE payments SET checkout_id = 'gone' WHERE checkout_id = '{declined}'"),
        {Rule.DAMAGE},
        "a row of payments refers to a missing row of checkouts",
    ),
    "hold-of-nothing": Issue(
        past("INSERT INTO holds VALUES ('{open}', 'gone', '2026-12-28', 1, false)"),
        {Rule.DAMAGE},
        "a row of holds refers to a missing row of capacity",
    ),
    "no-index": Issue(plainly("DROP INDEX ix_orders_reference"), {Rule.SCHEMA}, "ix_orders_reference"),
}
"""Faults with the rules that they break; the database itself may detect some."""

AT_ONCE = (
    "views",
    "unpaid",
    "paid-and-open",
    "ticket-gone",
    "miscounted",
    "let-go",
    "used-for-nothing",
    "broken-inputs",
    "never-due",
    "no-index",
)
"""Faults that do not interfere with each other, at least one for each rule."""

CATALOGUE_FAULTS = {
    "item-more": Issue(
        inputs(lambda kept: kept["items"].append({**kept["items"][0], "id": 6})),
        {Rule.PLACES},
        "cabin 2026-12-28: items need 3, but it holds 2",
    ),
    "item-less": Issue(
        inputs(lambda kept: kept.update(items=[])), {Rule.PLACES}, "items need 0, but it holds 2"
    ),
    "another-day": Issue(
        plainly(
            "INSERT INTO capacity (pool, slot, size) VALUES ('cabin', '2026-12-29', 3)",
            "UPDATE holds SET slot = '2026-12-29' WHERE checkout_id = '{open}'",
        ),
        {Rule.PLACES},
        "cabin 2026-12-29: items need 0, but it holds 2",
    ),
    "nothing-sold": Issue(
        plainly("DELETE FROM holds WHERE checkout_id = '{order}' AND pool = 'bridge'"),
        {Rule.PLACES},
        "bridge 2026-12-27: items need 1, but it holds 0",
    ),
    "no-price": Issue(
        inputs(lambda kept: kept["items"][0].update(listPrice=-1)), {Rule.INPUTS}, "cannot be priced"
    ),
}
