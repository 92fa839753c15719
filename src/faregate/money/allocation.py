"""Allocation of amounts among lines, without losing a minor unit. Decisions §2, §3.1.

``apportion`` allocates discounts on the whole basket and the net amounts of lines and items.
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
    """Rule for choosing the lines that get the units left over after rounding down, one unit each."""

    LARGEST_REMAINDER = "largest_remainder"
    """The largest fractions first (Hamilton's method); ties go to the lower index."""
    FIRST = "first"
    """The first lines with a weight above 0."""
    LARGEST_WEIGHT = "largest_weight"
    """The largest weights first; ties go to the lower index."""


# Looking up an enumeration member costs as much as computing the share of a line.
_LARGEST_REMAINDER = AllocationMode.LARGEST_REMAINDER


@public_value
@dataclass(frozen=True, slots=True)
class Allocation:
    """The share of each line, within its cap, and the amount left over if no line can take more."""

    shares: tuple[MinorUnits, ...]
    unapplied: MinorUnits


def allocate(
    amount: MinorUnits,
    weights: Sequence[int],
    *,
    mode: AllocationMode = AllocationMode.LARGEST_REMAINDER,
) -> tuple[MinorUnits, ...]:
    """Divide *amount* in proportion to *weights*, losing nothing.

    By default, the method of largest remainders (Hamilton) is used: every share is rounded down, then the
    largest remainders get one more unit each; ties go to the lower index. A negative amount gives the negated
    shares of the positive one. If the amount is at most the sum of the weights, no share exceeds its weight.

    >>> allocate(100, [2, 3, 1])
    (33, 50, 17)
    >>> allocate(100, [2, 3, 1], mode=AllocationMode.FIRST)
    (34, 50, 16)

    Raises:
        InvalidWeights: a number is not an int, a weight is negative, or all weights are 0 and the amount
            is not.
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
    """Divide *amount* in proportion to *weights* and within *caps*; what remains is ``unapplied``.

    Shares above their cap are reduced to it, and the excess is divided among the other shares, until none is
    above its cap. None means no cap. A negative amount gives the negated shares of the positive one.

    >>> allocate_capped(2700, [10000, 4000, 4000], [1000, 4000, 4000])
    Allocation(shares=(1000, 850, 850), unapplied=0)
    >>> allocate_capped(30, [1, 1], [10, 5])
    Allocation(shares=(10, 5), unapplied=15)

    Raises:
        InvalidWeights: as in ``allocate``, or a cap is negative, or the numbers of caps and weights differ.
    """
    amount, weights, _ = _checked(amount, weights)
    if len(caps) != len(weights):
        raise InvalidWeights(f"expected a cap for each weight, got {len(weights)} weights, {len(caps)} caps")
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
    """Divide each of *amounts* in turn, in proportion to *weights* reduced by the earlier shares.

    Return the shares of each amount, and what remains of each weight. Discounts on a line are allocated to
    its items in this way. The sum of *amounts* must not exceed the sum of *weights*.

    >>> allocate_in_turn([100, 20], [120, 80])
    ([(60, 40), (12, 8)], [48, 32])

    Raises:
        InvalidWeights: as in ``allocate``.
    """
    left, taken = weights, []
    for amount in amounts:
        if amount:
            # The units of a line are equal before their first discount; that needs no ranking of remainders.
            are_equal = left[0] and left.count(left[0]) == len(left)
            taken.append(split_evenly(amount, len(left)) if are_equal else allocate(amount, left))
            left = list(map(sub, left, taken[-1]))
        else:
            taken.append((0,) * len(left))
    return taken, left


def split_evenly(amount: MinorUnits, parts: int) -> tuple[MinorUnits, ...]:
    """Divide *amount* into *parts* shares that differ by at most one unit, the larger ones first.

    >>> split_evenly(100, 3)
    (34, 33, 33)

    Raises:
        InvalidWeights: *parts* is below 1, or an argument is not an int.
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
    """Allocate *target* in proportion to *weights*, writing the results into *shares* at *indices*.

    A share is ``floor(weights[i] * numerator / denominator)``, or one more for the largest remainders; ties
    go to the lower index. Nothing is checked: no argument may be negative, *denominator* must be positive,
    and *target* must lie between the sum of the floors and the sum of the ceilings. Pass arguments by
    position: passing them by keyword would cost as much time as three more lines.

    >>> shares = [0, 0, 0]
    >>> apportion(shares, [2, 3, 1], range(3), 100, 6, 100)
    >>> shares
    [33, 50, 17]
    """
    if len(indices) == 1:
        shares[indices[0]] = target
        return
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
    """Add one to each of the *units* shares with the largest remainders; ties go to the lower index.

    Each of *keys* is ``remainder * len(shares) - index``. Such numbers sort by remainder, then by lower
    index, and the index can be recovered from them.
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
        raise InvalidWeights(f"expected an int amount and int weights, got {amount!r} and {list(weights)}")
    return found, [weight for weight in ints if weight is not None]
