"""Findings of an audit: the violated rule, its subject and a description, without personal data."""

from enum import StrEnum
from typing import NamedTuple

from faregate_http.inventory.slots import is_allowance

_SHOWN = 4


class Rule(StrEnum):
    """The rules that every database must satisfy at every moment."""

    DAMAGE = "damage"
    """A SQLite file is not damaged, and every foreign key refers to an existing row."""
    SCHEMA = "schema"
    """The indexes, triggers and constraints that reject invalid rows exist and are enabled."""
    FIGURES = "figures"
    """The figures stored with an order are those of its price, which equals the recomputed one."""
    SETTLED = "settled"
    """Every closed checkout has an order, every order a closed checkout, and every successful payment an
    order.
    """
    PAID = "paid"
    """Every order is paid exactly once, in full."""
    PAYING = "paying"
    """A pending payment has a due date; its checkout is being paid for and has no other pending payment."""
    TICKETS = "tickets"
    """Every item of an order has exactly one ticket: it is issued, has failed, or is due to be issued."""
    HOLDS = "holds"
    """Holds of closed checkouts are marked as sold, those of open checkouts are not, and released holds are
    deleted.
    """
    CAPACITY = "capacity"
    """The counted units of each slot, and of each limit of a code, equal the sum of its holds."""
    CODES = "codes"
    """The units sold of each code limit equal the uses or the amount of that code in the order's price."""
    INPUTS = "inputs"
    """The inputs of checkouts can be read and, if a catalogue is given, priced."""
    PLACES = "places"
    """If a catalogue is given, checkouts hold exactly the capacity that it requires for their items."""
    CHARGES = "charges"
    """If the gateway's charges are given, each has a payment of its amount that has not failed."""


class Finding(NamedTuple):
    """A violation of a rule."""

    rule: str
    subject: str
    text: str


def masked(code: str) -> str:
    """Return the start of *code* followed by dots: enough to recognise the code, but not to redeem it.

    >>> masked("GIFT-50"), masked("AB")
    ('GIF...', 'A...')
    """
    return f"{code[: min(_SHOWN, len(code) // 2)]}..."


def slot_name(pool: str, slot: str) -> str:
    """Return a label for *slot* of *pool*; if these are a limit and its code, the code is masked.

    >>> slot_name("cabin", "2026-12-27"), slot_name("GIFT-50", "balance")
    ('cabin 2026-12-27', 'balance of GIF...')
    """
    return f"{slot} of {masked(pool)}" if is_allowance(slot) else f"{pool} {slot}"
