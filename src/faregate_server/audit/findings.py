"""What a sweep finds: which rule is broken, where, and how. No person, and no code in full, is named."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from faregate_http.inventory.slots import is_allowance

_SHOWN = 4


class Rule(StrEnum):
    """What has to hold of every database, at every moment."""

    DAMAGE = "damage"
    """A SQLite file is whole, and no row refers to one that is not there."""
    SCHEMA = "schema"
    """The indexes, triggers and constraints that keep wrong rows out are there and in force."""
    FIGURES = "figures"
    """The figures of an order add up, decisions §5, and show the order and its checkout as they are."""
    SETTLED = "settled"
    """A closed checkout has its order, an order its closed checkout, and what was paid its order."""
    PAID = "paid"
    """An order is paid once, with what it costs."""
    PAYING = "paying"
    """A payment under way has a checkout that is being paid, alone, and will be brought to an end."""
    TICKETS = "tickets"
    """An order has one ticket for each item, which is issued, has failed, or is due."""
    HOLDS = "holds"
    """What closed checkouts hold is sold, what others hold is not, and what was let go is gone."""
    CAPACITY = "capacity"
    """The counts of every slot, and of what codes allow, are the sums of its holds."""
    CODES = "codes"
    """What is sold of codes is what the figures of the orders took."""
    INPUTS = "inputs"
    """What checkouts keep can be read, and priced where a catalogue is given."""
    PLACES = "places"
    """Checkouts hold what their items take by the catalogue, where one is given."""


class Finding(NamedTuple):
    """A rule that is broken: of what, and how."""

    rule: str
    subject: str
    text: str


def masked(code: str) -> str:
    """As much of a code as tells those who know it.

    >>> masked("GIFT-50"), masked("AB")
    ('GIF...', 'A...')
    """
    return f"{code[: min(_SHOWN, len(code) // 2)]}..."


def slot_name(pool: str, slot: str) -> str:
    """A slot of a pool, or what a code allows.

    >>> slot_name("cabin", "2026-12-27"), slot_name("GIFT-50", "balance")
    ('cabin 2026-12-27', 'balance of GIF...')
    """
    return f"{slot} of {masked(pool)}" if is_allowance(slot) else f"{pool} {slot}"
