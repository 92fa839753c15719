"""Order contexts of many baskets, against which discount conditions are checked. Decisions §3.5."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any

import numpy as np
import numpy.typing as npt

from faregate.batch.basket.lines import NONE
from faregate.batch.columns.checks import described, fits_int64
from faregate.batch.columns.values import Dates, Mask, Numbers
from faregate.dates.instants import in_utc
from faregate.dates.zones import local_date
from faregate.discounts.eligibility import Context
from faregate.errors import InvalidInput

_MICROSECONDS, _DAYS = np.dtype("datetime64[us]"), np.dtype("datetime64[D]")
_ONE_DAY, _INSTANT = np.timedelta64(1, "D"), np.timedelta64(1, "us")
_FIRST, _END = np.datetime64("0001-01-01"), np.datetime64("10000-01-01")
_MAX = 2**63 - 1
_FIELDS = ("at", "ordered_on", "channel", "account")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContextColumns:
    """Fields of ``Context`` for many baskets, each a column ``[m]`` or one value for all of them.

    *at* is datetime64[us] in UTC. *ordered_on*, datetime64[D], is the local date of that instant in the
    merchant's zone, used for weekdays and lead days. *channel* contains strings. *account* is ``NONE`` for
    baskets without an account. *customer_groups* has, for each group, a bool column or value that is true for
    its customers. A field that is None is unknown for all baskets.

    Raises:
        InvalidInput: a field has the wrong dtype or shape or is NaT, or a local date occurs in no time
            zone at its instant.
    """

    at: Dates | None = None
    ordered_on: Dates | None = None
    channel: npt.NDArray[np.str_] | str | None = None
    account: Numbers | int | None = None
    customer_groups: Mapping[str, Mask | bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _FIELDS:
            object.__setattr__(self, name, _as_array(getattr(self, name)))
        _check("at", self.at, "datetime64[us]", lambda dtype: dtype == _MICROSECONDS)
        _check("ordered_on", self.ordered_on, "datetime64[D]", lambda dtype: dtype == _DAYS)
        _check("channel", self.channel, "str", lambda dtype: dtype.kind == "U", one=str)
        _check("account", self.account, "int64", fits_int64, one=int)
        if type(self.account) is int and abs(self.account) > _MAX:
            raise InvalidInput(f"account: {self.account} does not fit int64")
        if self.at is not None and self.ordered_on is not None:
            _check_days(self.at, self.ordered_on)
        given: object = self.customer_groups
        if not isinstance(given, Mapping):
            expected = "a mapping of groups to bool [m]"
            raise InvalidInput(f"customer_groups: expected {expected}, got {described(given)}")
        groups = {group: np.asarray(own) for group, own in self.customer_groups.items()}
        for group, own in groups.items():
            _check(f"customer_groups: {group!r}", own, "bool", lambda dtype: dtype == np.bool_)
        object.__setattr__(self, "customer_groups", groups)

    def check(self, baskets: int) -> None:
        """Check that each field has one value for all baskets, or one for each of them.

        Raises:
            InvalidInput: a column has the wrong length.
        """
        columns = {name: getattr(self, name) for name in _FIELDS}
        columns |= {f"customer_groups: {group!r}": own for group, own in self.customer_groups.items()}
        for name, column in columns.items():
            if np.ndim(column) and len(column) != baskets:
                raise InvalidInput(
                    f"{name}: expected one value or an array [{baskets}], got {described(column)}"
                )

    @classmethod
    def of(cls, context: Context) -> ContextColumns:
        """Return columns with *context* for all baskets; without a time zone, the local date is unknown.

        Raises:
            InvalidPeriod: the instant has no UTC offset.
        """
        at = context.at
        return cls(
            at=None if at is None else instant(at),
            ordered_on=(
                None
                if at is None or context.zone is None
                else np.array(local_date(at, context.zone), "datetime64[D]")
            ),
            channel=context.channel,
            account=context.account,
            customer_groups=dict.fromkeys(context.customer_groups, True),
        )

    def part(self, baskets: Any) -> ContextColumns:
        """Return the contexts of the selected *baskets*, unchecked."""
        part = object.__new__(ContextColumns)
        for name in _FIELDS:
            value = getattr(self, name)
            object.__setattr__(part, name, value[baskets] if np.ndim(value) else value)
        groups = self.customer_groups.items()
        own = {group: mask[baskets] if np.ndim(mask) else mask for group, mask in groups}  # type: ignore[index]
        object.__setattr__(part, "customer_groups", own)
        return part

    def context(self, index: int) -> Context:
        """Return the scalar context of the basket in row *index*.

        Its time zone is a fixed offset from UTC with which the instant falls on the local date.
        """
        at, account = _at(self.at, index), _at(self.account, index)
        channel, day = _at(self.channel, index), _at(self.ordered_on, index)
        at = None if at is None else at.replace(tzinfo=UTC)
        return Context(
            at=at,
            channel=None if channel is None else str(channel),
            account=None if account in (None, NONE) else int(account),
            zone=None if at is None or day is None else _zone_showing(day, at),
            customer_groups=frozenset(
                [group for group, own in self.customer_groups.items() if _at(own, index)]
            ),
        )


def _as_array(value: Any) -> Any:
    """Return a date or a NumPy scalar as an array without axes, and any other value unchanged."""
    if type(value) is date:
        return np.array(value, _DAYS)
    return np.asarray(value) if isinstance(value, np.generic) else value


def _check(
    name: str, value: object, expected: str, is_right: Callable[[Any], bool], *, one: type | None = None
) -> None:
    if value is None or (one is not None and type(value) is one):
        return
    if not isinstance(value, np.ndarray) or value.ndim > 1 or not is_right(value.dtype):
        raise InvalidInput(f"{name}: expected {expected} [m], got {described(value)}")
    if value.dtype.kind == "M":
        is_wrong = np.atleast_1d(np.isnat(value) | (value < _FIRST) | (value >= _END))
        if is_wrong.any():
            row = int(np.argmax(is_wrong))
            date_at = np.atleast_1d(value)[row]
            expected = "" if np.isnat(date_at) else ", expected a day of the years 1 to 9999"
            raise InvalidInput(f"row {row}: {name} is {date_at}{expected}")


def _check_days(at: Dates, ordered_on: Dates) -> None:
    """Check that each local date in *ordered_on* is possible in some time zone at its instant in *at*."""
    midnight = ordered_on.astype(_MICROSECONDS)
    try:
        # Every time zone is less than a day ahead of UTC or behind it.
        is_wrong = (at <= midnight - _ONE_DAY) | (at >= midnight + 2 * _ONE_DAY - _INSTANT)
    except ValueError:
        shapes = f"at {described(at)}, ordered_on {described(ordered_on)}"
        raise InvalidInput(f"columns differ in length: {shapes}") from None
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        pair = [str(column[row] if column.ndim else column) for column in (at, ordered_on)]
        raise InvalidInput(f"row {row}: {pair[1]} is not the local date in any zone at {pair[0]} UTC")


def instant(at: datetime) -> Dates:
    """Return *at*, a timezone-aware datetime, as a zero-dimensional array of datetime64[us] in UTC."""
    return np.array(in_utc(at).replace(tzinfo=None), _MICROSECONDS)


def _at(column: Any, index: int) -> Any:
    if np.ndim(column):
        column = column[index]
    return column.item() if isinstance(column, np.generic | np.ndarray) else column


def _zone_showing(day: date, at: datetime) -> tzinfo:
    """Return a fixed offset from UTC with which *at*, an instant in UTC, falls on the local date *day*."""
    if at.date() == day:
        return UTC
    midnight = datetime.combine(day, time.min, UTC)
    latest = midnight + timedelta(days=1, microseconds=-1)
    return timezone((midnight if midnight > at else latest) - at)
