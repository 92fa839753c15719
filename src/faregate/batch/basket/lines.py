"""Lines of many baskets as columns. Decisions §3.1.

The columns are either flat, basket by basket, with offsets, or in buckets: each bucket is a matrix of baskets
with the same number of lines, one basket per column (``faregate.batch.columns.offsets``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np

from faregate.basket.lines import Line
from faregate.batch.columns.checks import checked_column, described
from faregate.batch.columns.offsets import checked_offsets
from faregate.batch.columns.values import FIRST_DAY, LAST_DAY, Dates, Mask, Numbers
from faregate.dates.instants import Interval
from faregate.dates.zones import AnyZone, local_date
from faregate.discounts.eligibility import NAME_THE_ZONE
from faregate.errors import ContextRequired, InvalidInput, InvalidLines
from faregate.money.amounts import MAX_SLIPPED, MILLION
from faregate.tax.rates import VatRate

NONE = -(2**63)
"""Stands for None in columns of ids and of recurring prices."""

_NUMBERS = ("unit_price", "quantity", "rate")
_OPTIONAL_NUMBERS = (
    "key",
    "product",
    "variant",
    "category",
    "discount_card",
    "floor_price",
    "recurring_price",
)
_MASKS = ("discountable", "counted", "is_subscription")
_BOUNDS = (("unit_price", 0, None), ("quantity", 1, None), ("rate", 0, MILLION), ("floor_price", 0, None))
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LineColumns:
    """Fields of ``Line`` as columns: int64 (or a dtype that fits), bool, or datetime64[D].

    Flat columns are ``[n]``, with *offsets* int64 ``[m + 1]``; bucket columns are ``[k, c]``. *rate* is in
    parts per million. If a column is None, every line has the default of ``Line``; *key* defaults to the
    line's index. Missing ids and recurring prices are ``NONE``, a missing *first_day* is NaT. *attributes*
    maps each attribute to a mask of the lines that have it.

    >>> lines = LineColumns(
    ...     offsets=np.array([0, 2, 3]), unit_price=np.array([7900, 1200, 4900]),
    ...     quantity=np.array([2, 1, 1]), rate=np.array([81_000, 26_000, 81_000]),
    ... )
    >>> lines.baskets, lines.basket(1)[0].list_price
    (2, 4900)

    Raises:
        InvalidInput: a column has the wrong dtype or shape, *offsets* do not fit, or a day is out of range.
        InvalidLines: a price is below 0, a quantity below 1, or a rate invalid; the error names the line.
    """

    unit_price: Numbers
    quantity: Numbers
    rate: Numbers
    offsets: Numbers | None = None
    key: Numbers | None = None
    product: Numbers | None = None
    variant: Numbers | None = None
    category: Numbers | None = None
    attributes: Mapping[tuple[str, str], Mask] = field(default_factory=dict)
    discount_card: Numbers | None = None
    first_day: Dates | None = None
    floor_price: Numbers | None = None
    discountable: Mask | None = None
    counted: Mask | None = None
    is_subscription: Mask | None = None
    recurring_price: Numbers | None = None

    def __post_init__(self) -> None:
        axes = 2 if self.offsets is None else 1
        price: Any = self.unit_price
        if not isinstance(price, np.ndarray) or price.ndim != axes:
            wanted = "[n] with offsets, or [k, c] without"
            raise InvalidInput(f"unit_price: expected int64 {wanted}, got {described(price)}")
        shape = price.shape
        for name in (*_NUMBERS, *_OPTIONAL_NUMBERS):
            self._set(name, "int64", shape)
        for name in _MASKS:
            self._set(name, "bool", shape)
        self._set("first_day", "datetime64[D]", shape)
        self._refuse_impossible_days()
        masks = {
            name: checked_column(f"attribute {name}", own, "bool", shape)
            for name, own in self.attributes.items()
        }
        object.__setattr__(self, "attributes", masks)
        if self.offsets is not None:
            object.__setattr__(self, "offsets", checked_offsets(self.offsets, lines=shape[0]))
        self._refuse_impossible_lines()

    def _set(self, name: str, dtype: str, shape: tuple[int, ...]) -> None:
        column = getattr(self, name)
        if column is not None or name in _NUMBERS:
            object.__setattr__(self, name, checked_column(name, column, dtype, shape))

    def _refuse_impossible_days(self) -> None:
        if self.first_day is None:
            return
        days = self.first_day.view(np.int64)
        is_wrong = ~np.isnat(self.first_day) & ((days < FIRST_DAY) | (days > LAST_DAY))
        if is_wrong.any():
            raise InvalidInput(_fault("first_day", self.first_day, is_wrong, "a date of the years 1 to 9999"))

    def _refuse_impossible_lines(self) -> None:
        for name, least, most in _BOUNDS:
            column = getattr(self, name)
            if column is None:
                continue
            if column.min(initial=least) < least:
                raise InvalidLines(_fault(name, column, column < least, f"at least {least}"))
            if most is not None and column.max(initial=least) > most:
                raise InvalidLines(_fault(name, column, column > most, f"at most {most}"))
        is_percent = (self.rate > 0) & (self.rate <= MAX_SLIPPED)
        if is_percent.any():
            expected = f"0 or more than {MAX_SLIPPED} parts per million: 8 % is 80000"
            raise InvalidLines(_fault("rate", self.rate, is_percent, expected))
        later = self.recurring_price
        if later is not None and (is_wrong := (later < 0) & (later != NONE)).any():
            raise InvalidLines(_fault("recurring_price", later, is_wrong, "at least 0"))

    @property
    def baskets(self) -> int:
        """Number of baskets."""
        return self.unit_price.shape[1] if self.offsets is None else len(self.offsets) - 1

    @property
    def lines(self) -> int:
        """Number of lines in all baskets."""
        return self.unit_price.size

    # ------------------------------------------------------------ from lines, and back

    @classmethod
    def of(cls, baskets: Iterable[Sequence[Line]], *, zone: AnyZone | None = None) -> LineColumns:
        """Return *baskets* as flat columns; *zone* applies to validity periods without a time zone.

        >>> vat = VatRate.percent("8.1")
        >>> LineColumns.of([[Line(3, 7900, 2, vat)], []]).offsets
        array([0, 1, 1])

        Raises:
            InvalidLines: a value is not an int or does not fit int64; or as for the constructor.
            ContextRequired: a line has a validity period, but neither it nor *zone* gives a time zone.
            InvalidPeriod: a validity period has no UTC offset.
        """
        sizes: list[int] = [0]
        lines: list[Line] = []
        for basket in baskets:
            lines.extend(basket)
            sizes.append(len(lines))
        return cls(offsets=np.array(sizes, np.int64), **_columns_of(lines, zone))

    def basket(self, index: int) -> tuple[Line, ...]:
        """Return the lines of one basket for the scalar functions, for example to trace its price.

        Validity periods are reduced to their first day, as a day in UTC.
        """
        own = self.index_of(index)
        given = {
            name: getattr(self, name)[own].tolist()
            for name in (*_NUMBERS, *_OPTIONAL_NUMBERS, *_MASKS)
            if getattr(self, name) is not None
        }
        count = len(given["rate"])
        given.setdefault("key", list(range(count)))
        days = [None] * count if self.first_day is None else self.first_day[own].tolist()
        had = {attribute: mask[own].tolist() for attribute, mask in self.attributes.items()}
        return tuple(
            Line(
                **{name: _scalar(name, column[index]) for name, column in given.items()},
                validity=None if day is None else _day_interval(day),
                zone=None if day is None else "UTC",
                attributes=frozenset([attribute for attribute, has in had.items() if has[index]]),
            )
            for index, day in enumerate(days)
        )

    def index_of(self, index: int) -> Any:
        """Return an index that selects the lines of basket number *index* from a column."""
        if self.offsets is None:
            return slice(None), index
        return slice(int(self.offsets[index]), int(self.offsets[index + 1]))

    def part(self, lines: Any, offsets: Numbers | None) -> LineColumns:
        """Return the columns of the lines that the index *lines* selects, with new *offsets*, unchecked."""
        part = object.__new__(LineColumns)
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "attributes":
                value = {attribute: mask[lines] for attribute, mask in value.items()}
            elif each.name == "offsets":
                value = offsets
            elif value is not None:
                value = value[lines]
            object.__setattr__(part, each.name, value)
        return part


def _fault(name: str, column: Numbers | Dates, is_wrong: Mask, expected: str) -> str:
    index = np.unravel_index(int(np.argmax(is_wrong)), column.shape)
    line = f"line {index[0]}" if len(index) == 1 else f"basket {index[1]}, line {index[0]}"
    return f"{line}: {name} is {column[index]}, expected {expected}"


# ---------------------------------------------------------------- from lines, and back


def _columns_of(lines: Sequence[Line], zone: AnyZone | None) -> dict[str, Any]:
    if not lines:
        empty = np.zeros(0, np.int64)
        return dict.fromkeys(_NUMBERS, empty)
    by_name = dict(zip(Line._fields, zip(*lines, strict=True), strict=True))
    rates = [getattr(rate, "parts_per_million", None) for rate in by_name["rate"]]
    columns: dict[str, Any] = {"rate": _array("rate", rates)}
    for name in ("key", "unit_price", "quantity"):
        columns[name] = _array(name, by_name[name])
    for name in ("product", "variant", "category", "discount_card", "recurring_price"):
        own = by_name[name]
        if own.count(None) < len(own):
            columns[name] = _array(name, [NONE if value is None else value for value in own])
    if any(by_name["floor_price"]):
        columns["floor_price"] = _array("floor_price", by_name["floor_price"])
    for name, usual in (("discountable", True), ("counted", True), ("is_subscription", False)):
        if by_name[name].count(usual) < len(lines):
            columns[name] = np.array(by_name[name], bool)
    if any(by_name["attributes"]):
        columns["attributes"] = _attributes_of(by_name["attributes"])
    if by_name["validity"].count(None) < len(lines):
        columns["first_day"] = np.array([_first_day(line, zone) for line in lines], "datetime64[D]")
    return columns


def _first_day(line: Line, default: AnyZone | None) -> date | None:
    if line.validity is None:
        return None
    zone = default if line.zone is None else line.zone
    if zone is None:
        raise ContextRequired(rule="the first day of a line", needs="the time zone", remedy=NAME_THE_ZONE)
    return local_date(line.validity.start, zone)


def _attributes_of(lines: Sequence[frozenset[tuple[str, str]]]) -> dict[tuple[str, str], Mask]:
    known = sorted(frozenset().union(*lines))
    return {attribute: np.array([attribute in own for own in lines]) for attribute in known}


def _array(name: str, values: Sequence[Any]) -> Numbers:
    try:
        column = np.array(values)
        if column.dtype == np.int64:
            return column
        if all(type(value) is int for value in values):
            return np.array(values, np.int64)
    except (OverflowError, TypeError, ValueError):
        pass
    raise InvalidLines(f"{name}: expected ints that fit int64")


def _scalar(name: str, value: Any) -> Any:
    match name:
        case "rate":
            return VatRate(parts_per_million=value)
        case "product" | "variant" | "category" | "discount_card" | "recurring_price":
            return None if value == NONE else value
        case _:
            return value


def _day_interval(day: Any) -> Interval:
    # Only the start is ever read, and the last day of the calendar has no next day.
    start = datetime.combine(day, time.min, UTC)
    return Interval(start, datetime.max.replace(tzinfo=UTC) if day == date.max else start + _DAY)
