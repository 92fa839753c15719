"""Paid orders, and the units of them that are returned. Decisions §20."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked
from faregate.errors import InvalidRefund, Issues
from faregate.money.amounts import MinorUnits
from faregate.totals.items import WITHOUT_PARTS, has_parts
from faregate.totals.pipeline import CheckoutTotals


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRefund, amount=Whole(0))
class Payment:
    """An amount paid with, or paid back to, one means of payment, such as a card or cash."""

    name: str
    amount: MinorUnits


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRefund)
class PaidOrder:
    """A priced basket and its payments, which add up to the amount due.

    The totals are those of ``checkout_totals``, with whole lines. Vouchers are part of them. A cash payment
    has the amount before it was rounded for cash.

    >>> from faregate import Line, VatRate, checkout_totals
    >>> totals = checkout_totals([Line(1, unit_price=7900, quantity=2, rate=VatRate.percent("8.1"))])
    >>> PaidOrder(totals=totals, payments=(Payment(name="card", amount=15800),)).payments
    (Payment(name='card', amount=15800),)

    Raises:
        InvalidRefund: the payments do not add up to the amount due, or two have the same name; or the totals
            have other lines than their request, as after ``with_parts``.
    """

    totals: CheckoutTotals
    payments: tuple[Payment, ...] = ()

    def __post_init__(self) -> None:
        issues = Issues()
        if has_parts(self.totals):
            issues.add(("totals",), WITHOUT_PARTS)
        paid = sum([payment.amount for payment in self.payments])
        if paid != self.totals.amount_due:
            message = f"expected payments of {self.totals.amount_due} in total, the amount due, got {paid}"
            issues.add(("payments",), message)
        for name, count in Counter(payment.name for payment in self.payments).items():
            if count > 1:
                issues.add(
                    ("payments",), f"the name {name!r} is used {count} times, expected different names"
                )
        issues.check(InvalidRefund)


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRefund)
class ReturnedUnits:
    """Units of a line that are returned.

    ``units`` has their positions in the line, counted from 0 in ascending order of item id; None means every
    unit of the line.

    >>> ReturnedUnits(line=1, units=(0, 2))
    ReturnedUnits(line=1, units=(0, 2))
    """

    line: int
    units: tuple[int, ...] | None = None


def returned_items(members: Sequence[Sequence[int]], ids: Iterable[int]) -> tuple[ReturnedUnits, ...]:
    """Return the units of the items with these *ids*; *members* has the item ids of each line.

    >>> returned_items([(1, 4, 5), (2,)], [5, 2])
    (ReturnedUnits(line=1, units=(2,)), ReturnedUnits(line=2, units=(0,)))

    Raises:
        InvalidRefund: *members* has no item with such an id; lists every one.
    """
    wanted = set(ids)
    issues = Issues()
    for unknown in sorted(wanted.difference(*members)):
        issues.add((), f"unknown item {unknown}")
    issues.check(InvalidRefund)
    found = []
    for of_line in map(sorted, members):
        units = tuple([unit for unit, own in enumerate(of_line) if own in wanted])
        if units:
            found.append(ReturnedUnits(line=of_line[0], units=units))
    return tuple(found)
