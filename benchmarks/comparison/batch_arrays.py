"""B in arrays: NumPy over whole columns with ``lexsort``, and the floor, a copy of the same bytes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.comparison.batch_workload import MILLION, PERCENT_OFF, Answer, Carts, Column, Figures


def with_numpy(carts: Carts) -> Callable[[], Answer]:
    """Price as one would naturally write it: whole columns, groups by sorting."""
    offsets, unit_price, quantity, rate = carts
    owner = carts.cart

    def run() -> Answer:
        listed = unit_price * quantity
        whole = np.add.reduceat(listed, offsets[:-1])
        code = (whole * PERCENT_OFF + 50) // 100
        floors, remainders = np.divmod(listed * code[owner], whole[owner])
        discount = floors + raised(owner, floors, remainders, code)
        total = listed - discount
        rates, place = np.unique(rate, return_inverse=True)
        group = owner * len(rates) + place
        by_group = np.tile(rates, len(whole))
        total_net, discount_net = (nets(amount, rate, group, by_group) for amount in (total, discount))
        lines = Figures(listed, total_net + discount_net, discount, discount_net, total, total_net)
        return Answer(lines, Figures(*(np.add.reduceat(column, offsets[:-1]) for column in lines)))

    return run


def nets(gross: Column, rate: Column, group: Column, by_group: Column) -> Column:
    sums = group_sums(group, gross, len(by_group))
    net = sums - (2 * sums * by_group + MILLION + by_group) // (2 * (MILLION + by_group))
    floors, remainders = np.divmod(gross * MILLION, MILLION + rate)
    return floors + raised(group, floors, remainders, net)


def raised(group: Column, floors: Column, remainders: Column, target: Column) -> Column:
    """Add one to the largest remainders, as many as the floors of the group are short."""
    short = target - group_sums(group, floors, len(target))
    order = np.lexsort((-remainders, group))
    sizes = np.bincount(group, minlength=len(target))
    starts = np.cumsum(sizes) - sizes
    owners = group[order]
    more = np.zeros(len(group), np.int64)
    more[order] = np.arange(len(group)) - starts[owners] < short[owners]
    return more


def group_sums(group: Column, values: Column, count: int) -> Column:
    sums = np.zeros(count, np.int64)
    np.add.at(sums, group, values)
    return sums


def copied(carts: Carts) -> Callable[[], None]:
    """Return the floor: it only reads the input columns and writes the output columns."""
    given = carts.unit_price, carts.quantity, carts.rate
    count = len(carts.offsets) - 1
    lines = np.empty((6, len(carts.rate)), np.int64)
    sums = np.empty((6, count), np.int64)

    def run() -> None:
        for place, column in enumerate(lines):
            np.copyto(column, given[place % 3])
        for column in sums:
            np.copyto(column, carts.offsets[1:])

    return run
