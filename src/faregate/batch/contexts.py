"""What the conditions of discounts look at, for many baskets. Decisions §3.5."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from faregate.batch.arrays import described
from faregate.batch.columns import day_numbers
from faregate.batch.lines import NONE
from faregate.dates import in_utc
from faregate.eligibility import Context
from faregate.errors import InvalidInput

if TYPE_CHECKING:
    from faregate.batch.columns import Dates, Numbers

__all__ = ["ContextColumns"]

_MICROSECONDS = np.dtype("datetime64[us]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContextColumns:
    """The fields of ``Context``, a column ``[m]`` each, or one value for all baskets.

    *at* is datetime64[us] in UTC, *ordered_on* the local date of that instant in the merchant's zone,
    datetime64[D]: what weekdays and lead days are counted by. *channel* is of str; an *account* that there
    is none of is ``NONE``. None says of no basket what it is.

    Raises:
        InvalidInput: another dtype or shape.
    """

    at: Dates | None = None
    ordered_on: Dates | None = None
    channel: npt.NDArray[np.str_] | str | None = None
    account: Numbers | int | None = None

    def __post_init__(self) -> None:
        if self.at is not None and getattr(self.at, "dtype", None) != _MICROSECONDS:
            raise InvalidInput(f"at: expected datetime64[us] [m], got {described(self.at)}")
        if self.ordered_on is not None:
            day_numbers("ordered_on", self.ordered_on)
        if self.channel is not None and np.asarray(self.channel).dtype.kind != "U":
            raise InvalidInput(f"channel: expected str [m], got {described(self.channel)}")

    @classmethod
    def of(cls, context: Context) -> ContextColumns:
        """One context for all baskets.

        Raises:
            InvalidPeriod: the instant lacks its offset.
        """
        at = context.at
        return cls(
            at=None if at is None else instant(at),
            ordered_on=None if at is None else np.array(at.date(), "datetime64[D]"),
            channel=context.channel,
            account=context.account,
        )

    def part(self, baskets: Any) -> ContextColumns:
        """The context of some of the baskets, unchecked."""
        part = object.__new__(ContextColumns)
        for name in ("at", "ordered_on", "channel", "account"):
            value = getattr(self, name)
            object.__setattr__(part, name, value[baskets] if np.ndim(value) else value)
        return part

    def context(self, index: int) -> Context:
        """The context of one basket, for the scalar functions."""
        at, account = _at(self.at, index), _at(self.account, index)
        channel = _at(self.channel, index)
        return Context(
            at=None if at is None else _local(at.replace(tzinfo=UTC), _at(self.ordered_on, index)),
            channel=None if channel is None else str(channel),
            account=None if account in (None, NONE) else int(account),
        )


def instant(at: datetime) -> Dates:
    """An aware instant as datetime64[us] ``[]``, in UTC."""
    return np.array(in_utc(at).replace(tzinfo=None), _MICROSECONDS)


def _at(column: Any, index: int) -> Any:
    if np.ndim(column):
        column = column[index]
    return column.item() if isinstance(column, np.generic | np.ndarray) else column


def _local(at: datetime, day: Any) -> datetime:
    """The same instant on a clock that shows *day*."""
    if day is None or at.date() == day:
        return at
    midnight = datetime.combine(day, datetime.min.time(), UTC)
    shift = midnight - at if midnight > at else midnight + timedelta(days=1, microseconds=-1) - at
    if abs(shift) >= timedelta(days=1):
        raise InvalidInput(f"{at.isoformat()} is on {day} nowhere")
    # Offsets are whole minutes at least up to Python 3.6; since then any timedelta will do.
    return at.astimezone(timezone(shift))
