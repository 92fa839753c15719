"""Pricing lines: what a checkout is computed over, and how a line is shared back to its items.

Items that are equal in everything a rule can see form one line (decisions §3.1): a percentage is taken
of the line, never per unit, so that three tickets cost the same however they were added.
"""

from __future__ import annotations

from itertools import compress
from operator import attrgetter, lt, mul
from typing import TYPE_CHECKING, NamedTuple

from faregate.dates import in_utc
from faregate.errors import InvalidLines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from faregate.dates import Interval
    from faregate.money import MinorUnits
    from faregate.tax import VatRate

__all__ = ["Cart", "Line", "PricingLines", "cart", "pricing_lines"]


class Line(NamedTuple):
    """Equal units at one price; an item of a checkout is a line of quantity 1.

    ``key`` orders lines and breaks ties: use the lowest item id. ``unit_price`` is gross or net, as
    the channel prices. What follows is what discounts select on.

    >>> from faregate.tax import VatRate
    >>> Line(key=1, unit_price=7900, quantity=2, rate=VatRate.percent("8.1"), product=11).list_price
    15800
    """

    key: int
    unit_price: MinorUnits
    quantity: int
    rate: VatRate
    product: int | None = None
    variant: int | None = None
    category: int | None = None
    attributes: frozenset[tuple[str, str]] = frozenset()
    discount_card: int | None = None
    validity: Interval | None = None
    floor_price: MinorUnits = 0
    """The lowest price of one unit that discounts may leave."""
    discountable: bool = True
    """False for fees, media and products that are never discounted."""
    counted: bool = True
    """Whether it counts towards the minimum of a discount; false for fees and media."""
    is_subscription: bool = False
    recurring_price: MinorUnits | None = None
    """What a unit of a subscription costs in every later period; None: as much as in the first."""

    @property
    def list_price(self) -> MinorUnits:
        """All units before any discount."""
        return self.unit_price * self.quantity


class PricingLines(NamedTuple):
    """Lines in ascending key, and the ids of the items that each of them stands for."""

    lines: tuple[Line, ...]
    members: tuple[tuple[int, ...], ...]


_key = attrgetter("key")
_AFTER_KEY, _VALIDITY = Line._fields.index("unit_price"), Line._fields.index("validity")
_AFTER_VALIDITY = _VALIDITY + 1


def pricing_lines(items: Iterable[Line]) -> PricingLines:
    """Join items that are equal in all but their key; a line takes its lowest item id as key.

    >>> from faregate.tax import VatRate
    >>> adult = Line(key=4, unit_price=7900, quantity=1, rate=VatRate.percent("8.1"), variant=101)
    >>> joined = pricing_lines([adult, adult._replace(key=2), adult._replace(key=3, unit_price=100)])
    >>> joined.members
    ((2, 4), (3,))

    Raises:
        InvalidLines: an item is not one unit, or two have one id.
        InvalidPeriod: a validity lacks its offset.
    """
    groups: dict[tuple[object, ...], list[Line]] = {}
    seen: set[int] = set()
    # By identity: items mostly share their validity, and to compare it costs as much as to convert it.
    in_instants: dict[int, tuple[datetime, datetime]] = {}
    faults = []
    for item in items:
        if item.quantity != 1:
            faults.append(f"item {item.key} has quantity {item.quantity}, expected 1")
        if item.key in seen:
            faults.append(f"item id {item.key} is used twice")
        seen.add(item.key)
        validity, instants = item.validity, None
        if validity is not None:
            instants = in_instants.get(id(validity))
            if instants is None:
                instants = in_instants[id(validity)] = in_utc(validity.start), in_utc(validity.end)
        groups.setdefault((item[_AFTER_KEY:_VALIDITY], instants, item[_AFTER_VALIDITY:]), []).append(item)
    if faults:
        raise InvalidLines(*faults)
    for like in groups.values():
        like.sort(key=_key)
    joined = sorted((tuple([item.key for item in like]), like[0]) for like in groups.values())
    return PricingLines(
        lines=tuple(like._replace(quantity=len(ids)) for ids, like in joined),
        members=tuple(ids for ids, _ in joined),
    )


class Cart(NamedTuple):
    """Checked lines in ascending key, as the columns that every stage works on."""

    lines: Sequence[Line]
    keys: tuple[int, ...]
    quantities: tuple[int, ...]
    rates: tuple[VatRate, ...]
    by_rate: list[tuple[VatRate, list[int]]]
    """The indices of the lines of each rate, ascending by rate."""
    list_prices: list[MinorUnits]
    floors: list[MinorUnits] | None
    """The lowest price of each line; None where no line has one."""
    discountable: Sequence[int]
    """The indices of the lines that discounts may touch."""
    counted: Sequence[int]
    """The indices of the lines that count towards a minimum."""
    subscriptions: Sequence[int]
    """The indices of the lines that sell a subscription."""
    order: list[int] | None
    """Where the lines stood in the request; None where they stood in ascending key."""


def cart(lines: Sequence[Line]) -> Cart:
    """Check *lines*, put them in ascending key, and turn them into columns.

    Raises:
        InvalidLines: lists every fault of every line.
    """
    if not lines:
        return Cart((), (), (), (), [], [], None, (), (), (), None)
    columns = zip(*lines, strict=True)
    keys, unit_prices, quantities, rates, *_, floors, discountable, counted, subscription, _ = columns
    try:
        list_prices = list(map(mul, unit_prices, quantities))
        # A float, Decimal or array scalar anywhere shows in the type of the sum.
        if type(sum(list_prices)) is not int or min(unit_prices) < 0 or min(quantities) < 1:
            raise InvalidLines(*_faults(lines))
        line_floors = list(map(mul, floors, quantities)) if any(floors) else None
        if line_floors is not None and (type(sum(line_floors)) is not int or min(floors) < 0):
            raise InvalidLines(*_faults(lines))
        by_rate = _by_rate(rates)
        ascending = all(map(lt, keys, keys[1:]))
    except (TypeError, AttributeError):
        raise InvalidLines(*_faults(lines)) from None
    if not ascending:
        return _sorted_cart(lines, keys)
    every = range(len(lines))
    return Cart(
        lines,
        keys,
        quantities,
        rates,
        by_rate,
        list_prices,
        line_floors,
        every if all(discountable) else list(compress(every, discountable)),
        every if all(counted) else list(compress(every, counted)),
        list(compress(every, subscription)) if any(subscription) else (),
        None,
    )


def _by_rate(rates: Sequence[VatRate]) -> list[tuple[VatRate, list[int]]]:
    """The indices of the lines of each rate, ascending by rate."""
    groups: dict[int, tuple[VatRate, list[int]]] = {}
    for index, rate in enumerate(rates):
        parts = rate.parts_per_million
        if parts in groups:
            groups[parts][1].append(index)
        else:
            groups[parts] = rate, [index]
    return [groups[parts] for parts in sorted(groups)]


def _sorted_cart(lines: Sequence[Line], keys: Sequence[int]) -> Cart:
    if len(set(keys)) < len(keys):
        raise InvalidLines(*_faults(lines))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return cart([lines[index] for index in order])._replace(order=order)


def _faults(lines: Iterable[Line]) -> list[str]:
    faults = []
    seen: set[int] = set()
    for line in lines:
        for field, least in (("unit_price", 0), ("quantity", 1), ("floor_price", 0)):
            value = getattr(line, field)
            if type(value) is not int:
                faults.append(f"line {line.key}: {field} is a {type(value).__name__}, expected int")
            elif value < least:
                faults.append(f"line {line.key}: {field} is {value}, expected at least {least}")
        if not hasattr(line.rate, "parts_per_million"):
            faults.append(f"line {line.key}: rate is a {type(line.rate).__name__}, expected VatRate")
        if type(line.key) is not int:
            faults.append(f"line {line.key!r}: the key is a {type(line.key).__name__}, expected int")
        elif line.key in seen:
            faults.append(f"line {line.key}: the key is used twice")
        seen.add(line.key)
    return faults
