"""Sharing an amount over lines so that nothing is lost. Decisions §2.

One function, ``apportion``, is behind cart discounts, the give-back of net amounts and the items of a line.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from faregate.errors import InvalidWeights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate.money import MinorUnits

__all__ = ["Allocation", "AllocationMode", "allocate", "allocate_capped", "apportion", "split"]


class AllocationMode(Enum):
    """Who gets the units that flooring leaves over, one each."""

    LARGEST_REMAINDER = "largest_remainder"
    """The largest fractions first (Hamilton), ties to the lower index."""
    FIRST = "first"
    """The first lines that have a weight."""
    LARGEST_WEIGHT = "largest_weight"
    """The largest weights first, ties to the lower index."""


class Allocation(NamedTuple):
    """Shares under caps, and what no line could take."""

    shares: tuple[MinorUnits, ...]
    unapplied: MinorUnits


def allocate(
    amount: MinorUnits,
    weights: Sequence[int],
    *,
    mode: AllocationMode = AllocationMode.LARGEST_REMAINDER,
) -> tuple[MinorUnits, ...]:
    """Share *amount* in proportion to *weights*, losing nothing.

    Largest remainder (Hamilton): floor every share, then one unit each to the largest remainders,
    ties to the lower index. A negative amount mirrors the positive one. An amount up to the sum of
    the weights gives no line more than its weight.

    >>> allocate(100, [2, 3, 1])
    (33, 50, 17)
    >>> allocate(100, [2, 3, 1], mode=AllocationMode.FIRST)
    (34, 50, 16)

    Raises:
        InvalidWeights: a weight is negative, or all are 0 and the amount is not.
    """
    total = _checked_total(amount, weights)
    if amount < 0:
        return tuple([-share for share in allocate(-amount, weights, mode=mode)])
    if not amount:
        return (0,) * len(weights)
    if mode is AllocationMode.LARGEST_REMAINDER:
        return tuple(apportion([amount * weight for weight in weights], total, amount))
    shares = [amount * weight // total for weight in weights]
    receivers = [index for index, weight in enumerate(weights) if weight]
    if mode is AllocationMode.LARGEST_WEIGHT:
        receivers.sort(key=weights.__getitem__, reverse=True)
    for index in receivers[: amount - sum(shares)]:
        shares[index] += 1
    return tuple(shares)


def allocate_capped(
    amount: MinorUnits, weights: Sequence[int], caps: Sequence[MinorUnits | None]
) -> Allocation:
    """Share *amount* by *weights*, no line above its cap; what fits nowhere is ``unapplied``.

    Allocate, freeze the lines over their cap at the cap, share the rest again over the others.
    A cap of ``None`` is no cap. A negative amount mirrors the positive one.

    >>> allocate_capped(2700, [10000, 4000, 4000], [1000, 4000, 4000])
    Allocation(shares=(1000, 850, 850), unapplied=0)
    >>> allocate_capped(30, [1, 1], [10, 5])
    Allocation(shares=(10, 5), unapplied=15)

    Raises:
        InvalidWeights: as ``allocate``, and for a negative cap or another number of caps than weights.
    """
    _checked_total(amount, weights)
    if len(caps) != len(weights):
        raise InvalidWeights(f"{len(weights)} weights but {len(caps)} caps")
    if any(cap is not None and cap < 0 for cap in caps):
        raise InvalidWeights(f"negative cap in {list(caps)}")
    sign = -1 if amount < 0 else 1
    shares, unapplied = _share_capped(sign * amount, weights, caps)
    return Allocation(tuple([sign * share for share in shares]), sign * unapplied)


def _share_capped(
    amount: MinorUnits, weights: Sequence[int], caps: Sequence[MinorUnits | None]
) -> tuple[list[MinorUnits], MinorUnits]:
    shares = [0] * len(weights)
    open_lines = [index for index, weight in enumerate(weights) if weight]
    while amount and open_lines:
        total = sum([weights[index] for index in open_lines])
        tentative = apportion([amount * weights[index] for index in open_lines], total, amount)
        over: set[int] = set()
        for index, part in zip(open_lines, tentative, strict=True):
            cap = caps[index]
            shares[index] = part
            if cap is not None and part > cap:
                shares[index] = cap
                over.add(index)
        if not over:
            return shares, 0
        amount -= sum([shares[index] for index in over])
        open_lines = [index for index in open_lines if index not in over]
    for index in open_lines:
        shares[index] = 0
    return shares, amount


def split(amount: MinorUnits, parts: int) -> tuple[MinorUnits, ...]:
    """Share *amount* over equal *parts*, the larger shares first.

    >>> split(100, 3)
    (34, 33, 33)

    Raises:
        InvalidWeights: *parts* is below 1.
    """
    if parts < 1:
        raise InvalidWeights(f"{parts} parts, expected at least 1")
    share, rest = divmod(abs(amount), parts)
    sign = -1 if amount < 0 else 1
    return (sign * (share + 1),) * rest + (sign * share,) * (parts - rest)


def apportion(scaled: Sequence[int], denominator: int, target: MinorUnits) -> list[MinorUnits]:
    """Floor each ``scaled[i] / denominator``, then raise the largest remainders by one up to *target*.

    Unchecked, for callers inside the core: *scaled* is not negative, *denominator* positive, and
    *target* lies between the sum of the floors and that of the ceilings. Ties go to the lower index.

    >>> apportion([200, 300, 100], 6, 100)
    [33, 50, 17]
    """
    floors = [value // denominator for value in scaled]
    rest = target - sum(floors)
    if rest == 1:
        remainders = [value % denominator for value in scaled]
        floors[remainders.index(max(remainders))] += 1
    elif rest:
        remainders = [value % denominator for value in scaled]
        # reverse=True keeps equal remainders in their order: the lower index comes first.
        for index in sorted(range(len(floors)), key=remainders.__getitem__, reverse=True)[:rest]:
            floors[index] += 1
    return floors


def _checked_total(amount: MinorUnits, weights: Sequence[int]) -> int:
    total = sum(weights)
    if weights and min(weights) < 0:
        raise InvalidWeights(f"negative weight in {list(weights)}")
    if amount and not total:
        raise InvalidWeights(f"no weight to share {amount} by")
    return total
