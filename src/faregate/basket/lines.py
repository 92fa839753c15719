"""Pricing lines: the items of a checkout, grouped for pricing.

Items form one line if no rule can tell them apart (Decisions §3.1). A percentage is computed for the line,
not per unit, so three tickets cost the same however they were added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from itertools import compress
from operator import attrgetter, lt, mul
from typing import Any, NamedTuple

from faregate._values import public_value
from faregate.arguments.checks import as_int
from faregate.dates.instants import Interval, in_utc
from faregate.dates.zones import AnyZone, time_zone
from faregate.errors import InvalidInput, InvalidLines, Issues
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatRate


@public_value
class Line(NamedTuple):
    """Identical units at one price; an item of a checkout is a line with quantity 1.

    ``key`` orders lines and breaks ties: use the line's lowest item id. ``unit_price`` is gross or net,
    depending on the price basis. Discounts select lines by the optional fields.

    >>> from faregate.tax.rates import VatRate
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
    """Lowest unit price to which discounts may reduce the line."""
    discountable: bool = True
    """False for fees, media and products that are never discounted."""
    counted: bool = True
    """True if the line counts towards the minimum of a discount; False for fees and media."""
    is_subscription: bool = False
    recurring_price: MinorUnits | None = None
    """Unit price of a subscription in every period after the first; None means the same price."""
    zone: AnyZone | None = None
    """Time zone (or its name) that determines the date of the visit; None means ``Context.zone``."""

    @property
    def list_price(self) -> MinorUnits:
        """Price of all units before any discount."""
        return self.unit_price * self.quantity

    @property
    def in_later_periods(self) -> Line:
        """This line, priced as in every period after the first."""
        return self if self.recurring_price is None else self._replace(unit_price=self.recurring_price)


class PricingLines(NamedTuple):
    """Lines in ascending order of key, and the ids of the items that form each line."""

    lines: tuple[Line, ...]
    members: tuple[tuple[int, ...], ...]


_key = attrgetter("key")
_AFTER_KEY, _VALIDITY = Line._fields.index("unit_price"), Line._fields.index("validity")
_AFTER_VALIDITY, _ZONE = _VALIDITY + 1, Line._fields.index("zone")
_AFTER_ZONE = _ZONE + 1


def pricing_lines(items: Iterable[Line]) -> PricingLines:
    """Group items that differ only in their key into lines; the key of a line is its lowest item id.

    Validity periods are equal if they start and end at the same instants, whatever their UTC offsets.

    >>> from faregate.tax.rates import VatRate
    >>> adult = Line(key=4, unit_price=7900, quantity=1, rate=VatRate.percent("8.1"), variant=101)
    >>> joined = pricing_lines([adult, adult._replace(key=2), adult._replace(key=3, unit_price=100)])
    >>> joined.members
    ((2, 4), (3,))

    Raises:
        InvalidLines: an item is invalid, has a quantity other than 1, or has the id of another item; the
            error lists every issue.
    """
    items = tuple(items)
    if _unsorted_cart(items) is None:
        items = in_plain_ints(items)
        if _unsorted_cart(items) is None:
            raise InvalidLines(*_issues(items))
    return join_items(items)


def join_items(items: Iterable[Line]) -> PricingLines:
    """Group items into lines like ``pricing_lines``, without checking the types of their fields.

    Raises:
        InvalidLines: the quantity of an item is not 1, or two items have the same id.
    """
    groups: dict[tuple[object, ...], list[Line]] = {}
    seen: set[int] = set()
    # By identity: items usually share their validity, and comparing it costs as much as converting it.
    in_instants: dict[int, tuple[datetime, datetime]] = {}
    issues = Issues()
    for item in items:
        if item.quantity != 1:
            issues.add((), f"item {item.key} has quantity {item.quantity}, expected 1")
        if item.key in seen:
            issues.add((), f"item id {item.key} is used twice")
        seen.add(item.key)
        validity, instants = item.validity, None
        if validity is not None:
            instants = in_instants.get(id(validity))
            if instants is None:
                instants = in_instants[id(validity)] = in_utc(validity.start), in_utc(validity.end)
        zone = None if item.zone is None else str(item.zone)  # its name, if it has one
        alike = item[_AFTER_KEY:_VALIDITY], instants, item[_AFTER_VALIDITY:_ZONE], zone, item[_AFTER_ZONE:]
        groups.setdefault(alike, []).append(item)
    issues.check(InvalidLines)
    for like in groups.values():
        like.sort(key=_key)
    in_order = sorted((tuple([item.key for item in like]), like[0]) for like in groups.values())
    return PricingLines(
        lines=tuple(like if len(ids) == 1 else like._replace(quantity=len(ids)) for ids, like in in_order),
        members=tuple(ids for ids, _ in in_order),
    )


@dataclass(slots=True)  # a frozen one would take four times as long to create
class Cart:
    """Checked lines in ascending order of key, with their fields as columns for all stages of pricing."""

    lines: Sequence[Line]
    keys: list[int]
    quantities: list[int]
    rates: list[VatRate]
    by_rate: dict[int, list[int]]
    """Indices of the lines of each rate, keyed by the rate in parts per million."""
    list_prices: list[MinorUnits]
    floors: list[MinorUnits] | None
    """Lowest price to which each line may be reduced; None if no line has a floor price."""
    discountable: Sequence[int]
    """Indices of the lines that discounts may reduce."""
    counted: Sequence[int]
    """Indices of the lines that count towards a minimum."""
    subscriptions: Sequence[int]
    """Indices of the subscription lines."""
    order: list[int] | None = None
    """Position of each line in the request; None if the request was in ascending order of key."""

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Cart:
        """Check *lines*, sort them by key, and turn them into columns.

        Raises:
            InvalidLines: a line is invalid, or a key is used twice; the error lists every issue.
        """
        cart = _unsorted_cart(lines)
        if cart is None:
            raise InvalidLines(*_issues(lines))
        keys = cart.keys
        return cart if len(keys) < 2 or all(map(lt, keys, keys[1:])) else _sorted_cart(lines, keys)  # noqa: PLR2004


def _unsorted_cart(lines: Sequence[Line]) -> Cart | None:
    """Turn *lines* into columns in the given order; return None if a value is invalid."""
    keys: list[int] = []
    by_rate: dict[int, list[int]] = {}
    quantities, rates, list_prices, is_plain = [], [], [], True
    try:
        for line in lines:
            key, price, quantity, rate, product = line[:_AFTER_PRODUCT]
            if not (
                type(key) is type(price) is type(quantity) is int
                and type(rate) is VatRate
                and type(product) in _ID
                and price >= 0
                and quantity >= 1
            ):
                return None
            by_rate.setdefault(rate.parts_per_million, []).append(len(keys))
            keys.append(key)
            quantities.append(quantity)
            rates.append(rate)
            list_prices.append(price * quantity)
            is_plain = is_plain and line[_AFTER_PRODUCT:] == _PLAIN
        every = range(len(keys))
        cart = Cart(lines, keys, quantities, rates, by_rate, list_prices, None, every, every, ())
        return cart if is_plain or _set_rest(cart) else None
    except (TypeError, ValueError, LookupError):
        return None


def _set_rest(cart: Cart) -> bool:
    """Set the columns of *cart* that depend on fields after ``product``; return False if one is invalid."""
    _, _, _, _, _, *rest = zip(*cart.lines, strict=True)
    floors, discountable, counted, subscription = rest[_FLOOR : _FLOOR + 4]
    if not _are_of_their_kinds(rest):
        return False
    if any(floors):
        cart.floors = list(map(mul, floors, cart.quantities))
    every = range(len(cart.keys))
    if not all(discountable):
        cart.discountable = list(compress(every, discountable))
    if not all(counted):
        cart.counted = list(compress(every, counted))
    cart.subscriptions = list(compress(every, subscription))
    return True


def _sorted_cart(lines: Sequence[Line], keys: Sequence[int]) -> Cart:
    if len(set(keys)) < len(keys):
        raise InvalidLines(*_issues(lines))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return replace(Cart.of([lines[index] for index in order]), order=order)


_INT = frozenset({int})
_ID = frozenset({int, type(None)})
_RATE = frozenset({VatRate})
_KINDS: dict[str, tuple[frozenset[type] | None, int | None]] = {
    "key": (_INT, None),
    "unit_price": (_INT, 0),
    "quantity": (_INT, 1),
    "rate": (_RATE, None),
    "product": (_ID, None),
    "variant": (_ID, None),
    "category": (_ID, None),
    "attributes": (frozenset({frozenset}), None),
    "discount_card": (_ID, None),
    "validity": (frozenset({Interval, type(None)}), None),
    "floor_price": (_INT, 0),
    "discountable": (frozenset({bool}), None),
    "counted": (frozenset({bool}), None),
    "is_subscription": (frozenset({bool}), None),
    "recurring_price": (_ID, 0),
    "zone": (None, None),
}
"""Allowed types and minimum of each field of a line; None allows any type or has no minimum."""

_AFTER_PRODUCT = Line._fields.index("variant")
_REST = tuple(_KINDS)[_AFTER_PRODUCT:]
_FLOOR = _REST.index("floor_price")
_PLAIN = tuple([Line._field_defaults[name] for name in _REST])
"""Default values of the fields after ``product``."""


def _are_of_their_kinds(rest: Sequence[Sequence[Any]]) -> bool:
    """Return True if the columns after ``product`` have none of the issues that ``_issues`` reports.

    A column with the default on every line is not checked.
    """
    for (kinds, least, odd), column, default in zip(_CHECKS, rest, _PLAIN, strict=True):
        if column.count(default) == len(column):
            continue
        if kinds is not None and not kinds.issuperset(map(type, column)):
            return False
        if least is not None and min([value for value in column if value is not None], default=0) < least:
            return False
        # By identity: lines usually share these values, and comparing costs as much as checking.
        if odd is not None and any(map(odd, {id(value): value for value in column}.values())):
            return False
    return True


def _odd_attributes(attributes: Iterable[object]) -> str:
    for pair in attributes:
        if type(pair) is not tuple or tuple(map(type, pair)) != (str, str):
            return f"contain {pair!r}, expected pairs of strings"
    return ""


def _odd_validity(validity: Iterable[object] | None) -> str:
    for instant in validity or ():
        if not isinstance(instant, datetime):
            return f"contains {instant!r}, expected two datetimes"
        if instant.tzinfo is None:
            return f"contains {instant.isoformat()}, which has no UTC offset"
    return ""


def _odd_zone(zone: Any) -> str:
    if zone is None or isinstance(zone, tzinfo):
        return ""
    if not isinstance(zone, str):
        return f"is a {type(zone).__name__}, expected a time zone or its name"
    try:
        time_zone(zone)
    except InvalidInput as unknown:
        return f"is an {unknown}"
    return ""


_ODD: dict[str, Callable[[Any], str]] = {
    "attributes": _odd_attributes,
    "validity": _odd_validity,
    "zone": _odd_zone,
}
"""Functions that describe the error inside a value of the right type, or return "" if it is valid."""

_CHECKS = [(*_KINDS[name], _ODD.get(name)) for name in _REST]
"""Allowed types, minimum and value check of each field after ``product``."""


def in_plain_ints(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return *lines* with integers of other types, such as NumPy's, converted to ints."""
    return tuple([line._replace(**_plain_ints(line)) if hasattr(line, "_asdict") else line for line in lines])


def _plain_ints(line: Line) -> dict[str, Any]:
    found = {name: as_int(value) for name, value in line._asdict().items()}
    return {name: value for name, value in found.items() if value is not None}


def _issues(lines: Iterable[object]) -> Issues:
    issues = Issues()
    seen: set[int] = set()
    for index, line in enumerate(lines):
        if type(line) is not Line:
            issues.add((), f"line {index} of the basket is a {type(line).__name__}, expected Line")
            continue
        for message in _messages(line):
            issues.add((), message)
        if type(line.key) is int:
            if line.key in seen:
                issues.add((), f"line {line.key}: the key is used twice")
            seen.add(line.key)
    return issues


def _messages(line: Line) -> Iterator[str]:
    values: Iterable[Any] = line
    for (field, (kinds, least)), value in zip(_KINDS.items(), values, strict=True):
        name = "the key" if field == "key" else field
        if kinds is not None and type(value) not in kinds:
            expected = " or ".join(sorted(kind.__name__ for kind in kinds)).replace("NoneType", "None")
            yield f"line {line.key!r}: {name} is a {type(value).__name__}, expected {expected}"
        elif least is not None and value is not None and value < least:
            yield f"line {line.key!r}: {name} is {value}, expected at least {least}"
        elif field in _ODD and (odd := _ODD[field](value)):
            yield f"line {line.key!r}: {name} {odd}"
