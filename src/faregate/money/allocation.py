"""Allocation of amounts over lines without loss. Decisions §2, §3.1.

The function ``apportion`` serves cart discounts, the net amounts of lines and the items of a line alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from operator import sub

from faregate._values import public_value
from faregate.arguments.checks import as_int, option, whole
from faregate.errors import InvalidWeights
from faregate.money.amounts import MinorUnits


class AllocationMode(Enum):
    """Choice of the lines that receive the units left over by rounding down, one unit each."""

    LARGEST_REMAINDER = "largest_remainder"
    """The largest fractions first (Hamilton), ties to the lower index."""
    FIRST = "first"
    """The first lines that have a weight."""
    LARGEST_WEIGHT = "largest_weight"
    """The largest weights first, ties to the lower index."""


# Looking up an enumeration member costs as much as the share of a line.
_LARGEST_REMAINDER = AllocationMode.LARGEST_REMAINDER


@public_value
@dataclass(frozen=True, slots=True)
class Allocation:
    """Shares under caps, and the amount that no line could take."""

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
        InvalidWeights: a weight is negative or not an int, or all are 0 and the amount is not.
        InvalidOption: *mode* is unknown.
    """
    if mode is not _LARGEST_REMAINDER:
        mode = option(AllocationMode, mode, "mode")
    amount, weights, total = _checked(amount, weights)
    if amount < 0:
        return tuple([-share for share in allocate(-amount, weights, mode=mode)])
    if not amount:
        return (0,) * len(weights)
    if mode is _LARGEST_REMAINDER:
        shares = [0] * len(weights)
        every = range(len(weights))
        apportion(shares, weights, every, amount, total, amount)
        return tuple(shares)
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
    """Share *amount* by *weights* with no line above its cap; the rest is ``unapplied``.

    The amount is allocated, the lines above their cap are fixed at it, and the rest is shared over the
    others. A cap of ``None`` means unlimited. A negative amount mirrors the positive one.

    >>> allocate_capped(2700, [10000, 4000, 4000], [1000, 4000, 4000])
    Allocation(shares=(1000, 850, 850), unapplied=0)
    >>> allocate_capped(30, [1, 1], [10, 5])
    Allocation(shares=(10, 5), unapplied=15)

    Raises:
        InvalidWeights: as in ``allocate``, or a cap is negative, or the numbers of caps and weights differ.
    """
    amount, weights, _ = _checked(amount, weights)
    if len(caps) != len(weights):
        raise InvalidWeights(f"{len(weights)} weights but {len(caps)} caps")
    limits = [None if cap is None else as_int(cap, -1) for cap in caps]
    if any(limit is not None and limit < 0 for limit in limits):
        raise InvalidWeights(f"expected caps of at least 0, got {list(caps)}")
    sign = -1 if amount < 0 else 1
    shares, unapplied = _share_capped(sign * amount, weights, limits)
    return Allocation(tuple([sign * share for share in shares]), sign * unapplied)


def _share_capped(
    amount: MinorUnits, weights: Sequence[int], caps: Sequence[MinorUnits | None]
) -> tuple[list[MinorUnits], MinorUnits]:
    shares = [0] * len(weights)
    open_lines = [index for index, weight in enumerate(weights) if weight]
    while amount and open_lines:
        total = sum([weights[index] for index in open_lines])
        apportion(shares, weights, open_lines, amount, total, amount)
        frozen = set()
        for index in open_lines:
            cap = caps[index]
            if cap is not None and shares[index] > cap:
                shares[index] = cap
                amount -= cap
                frozen.add(index)
        if not frozen:
            return shares, 0
        open_lines = [index for index in open_lines if index not in frozen]
    return shares, amount


def allocate_in_turn(
    amounts: Sequence[MinorUnits], weights: Sequence[MinorUnits]
) -> tuple[list[tuple[MinorUnits, ...]], Sequence[MinorUnits]]:
    """Share each of *amounts* by the *weights* that earlier amounts left; also return the final weights.

    Discounts are shared over the items of a line in this way. *amounts* must add up to at most the weights.

    >>> allocate_in_turn([100, 20], [120, 80])
    ([(60, 40), (12, 8)], [48, 32])

    Raises:
        InvalidWeights: as in ``allocate``.
    """
    left, taken = weights, []
    for amount in amounts:
        if amount:
            taken.append(allocate(amount, left))
            left = list(map(sub, left, taken[-1]))
        else:
            taken.append((0,) * len(left))
    return taken, left


def split_evenly(amount: MinorUnits, parts: int) -> tuple[MinorUnits, ...]:
    """Share *amount* over equal *parts*, the larger shares first.

    >>> split_evenly(100, 3)
    (34, 33, 33)

    Raises:
        InvalidWeights: *parts* is below 1.
    """
    if type(parts) is not int or type(amount) is not int or parts < 1:
        parts, amount = whole(parts, "parts", InvalidWeights, 1), whole(amount, "amount", InvalidWeights)
    share, rest = divmod(abs(amount), parts)
    sign = -1 if amount < 0 else 1
    return (sign * (share + 1),) * rest + (sign * share,) * (parts - rest)


def apportion(
    shares: list[MinorUnits],
    weights: Sequence[int],
    indices: Sequence[int],
    numerator: int,
    denominator: int,
    target: MinorUnits,
) -> None:
    """Write ``floor(weights[i] * numerator / denominator)`` to the *shares* at *indices*, up to *target*.

    The largest remainders are raised by one, ties to the lower index. Unchecked, for callers inside
    the core: nothing is negative, *denominator* is positive, and *target* lies between the sum of the
    floors and that of the ceilings. Positional, since keyword arguments cost as much as three lines.

    >>> shares = [0, 0, 0]
    >>> apportion(shares, [2, 3, 1], range(3), 100, 6, 100)
    >>> shares
    [33, 50, 17]
    """
    # Scaling both by the number of lines keeps the quotients and makes room for an index in the remainders.
    scale, divisor = numerator * len(shares), denominator * len(shares)
    keys = []
    for index in indices:
        share = weights[index] * scale
        keys.append(share % divisor - index)
        share //= divisor
        shares[index] = share
        target -= share
    if target:
        raise_largest(shares, keys, target)


def raise_largest(shares: list[MinorUnits], keys: list[int], units: int) -> None:
    """Raise by one the *units* shares with the largest remainders, ties to the lower index.

    Each of *keys* is ``remainder * len(shares) - index``: a number that sorts by remainder, then by
    lower index, and from which the index is recovered.
    """
    keys.sort()
    count = len(shares)
    for key in keys[-units:]:
        shares[-key % count] += 1


_INTS = frozenset({int})


def _checked(amount: MinorUnits, weights: Sequence[int]) -> tuple[MinorUnits, Sequence[int], int]:
    """Return the amount and the weights as ints, and the sum of the weights."""
    if type(amount) is not int or not _INTS.issuperset(map(type, weights)):
        amount, weights = _in_ints(amount, weights)
    total = sum(weights)
    if len(weights) and min(weights) < 0:
        raise InvalidWeights(f"negative weight in {list(weights)}")
    if amount and not total:
        raise InvalidWeights(f"cannot share {amount} without a positive weight")
    return amount, weights, total


def _in_ints(amount: object, weights: Sequence[object]) -> tuple[MinorUnits, list[int]]:
    found, ints = as_int(amount), [as_int(weight) for weight in weights]
    if found is None or None in ints:
        raise InvalidWeights(f"expected an int and int weights, got {amount!r} and {list(weights)}")
    return found, [weight for weight in ints if weight is not None]
