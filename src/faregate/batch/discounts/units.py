"""Units that group discounts select in many baskets, and their value. Decisions §3.6.

As in ``faregate.discounts.amounts``, units are never listed one by one: a selection is a function that
returns how many of the n dearest units of a basket are selected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from faregate.basket.policy import Fairness, TotalsPolicy
from faregate.batch.basket.carts import LIMIT
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.discounts.targets import Target
from faregate.discounts.kinds import BuyXGetY, FixedPrice


class _Runs(NamedTuple):
    """Runs (units of one line at the same price), sorted by basket, then dearest first: ``[runs]`` each."""

    prices: Numbers
    units: Numbers
    lines: Numbers
    baskets: Numbers
    before: Numbers
    """Number of units of the same basket that come before each run."""


def group_values(
    kind: FixedPrice | BuyXGetY, target: Target, policy: TotalsPolicy
) -> tuple[Numbers, Numbers]:
    """Return the value of the selected units of each line, and the number of groups in each basket."""
    lines = target.scope if target.rewards is None else target.rewards
    runs = _runs(target, lines)
    units = np.zeros(target.cart.layout.count, np.int64)
    np.add.at(units, runs.baskets, runs.units)
    groups, held = _selection(kind, target, policy, units, runs)
    first, last = runs.before, runs.before + runs.units
    counts = held(last, runs.baskets) - held(first, runs.baskets)
    values = np.zeros(target.cart.layout.shape, np.int64)
    np.add.at(values.reshape(-1), runs.lines, counts * runs.prices)
    return values, groups


def _selection(
    kind: FixedPrice | BuyXGetY, target: Target, policy: TotalsPolicy, units: Numbers, runs: _Runs
) -> tuple[Numbers, Callable[[Numbers, Numbers], Numbers]]:
    is_customer = policy.fairness is Fairness.CUSTOMER
    if isinstance(kind, FixedPrice):
        size = min(kind.group_size, LIMIT)
        groups = units // size
        if is_customer:
            groups = _paying(runs, groups, size, min(kind.price, LIMIT))
        return groups, _end(units, groups * size, is_customer=is_customer)
    buy, get = min(kind.buy, LIMIT), min(kind.get, LIMIT)
    most = LIMIT if kind.at_most is None else min(kind.at_most, LIMIT)
    if target.rewards is not None:
        groups = np.minimum(np.minimum(units_bought(target) // buy, units // get), most)
        return groups, _end(units, groups * get, is_customer=is_customer)
    groups = np.minimum(units // (buy + get), most)
    if is_customer:
        return groups, _tail_of_groups(buy, get, groups)
    return groups, _end(units, groups * get, is_customer=False)


def _paying(runs: _Runs, groups: Numbers, size: int, price: int) -> Numbers:
    """Return, per basket, how many bundles (dearest units first) are cheaper at *price* than unit by unit."""
    least, most = np.zeros_like(groups), groups
    while (is_open := least < most).any():
        middle = (least + most + 1) // 2
        pays = _worth(runs, middle * size) - _worth(runs, (middle - 1) * size) > price
        least, most = np.where(is_open & pays, middle, least), np.where(is_open & ~pays, middle - 1, most)
    return least


def _worth(runs: _Runs, counts: Numbers) -> Numbers:
    """Return the total price of the *counts* dearest units of each basket."""
    sums = np.zeros_like(counts)
    np.add.at(sums, runs.baskets, np.clip(counts[runs.baskets] - runs.before, 0, runs.units) * runs.prices)
    return sums


def units_bought(target: Target) -> Numbers:
    """Return the number of units in each basket that are in scope and are not rewards."""
    scope, rewards = _every(target, target.scope), _every(target, target.rewards)
    return target.cart.layout.sums(np.where(scope & ~rewards, target.cart.quantities, 0))


def _every(target: Target, lines: Mask | None) -> Mask:
    return np.ones(target.cart.layout.shape, np.bool_) if lines is None else lines


def _end(units: Numbers, counts: Numbers, *, is_customer: bool) -> Callable[[Numbers, Numbers], Numbers]:
    """Return a selection (a function) of *counts* units: the dearest if *is_customer*, else the cheapest."""
    if is_customer:
        return lambda first, baskets: np.minimum(first, counts[baskets])
    return lambda first, baskets: np.maximum(0, first - (units - counts)[baskets])


def _tail_of_groups(buy: int, get: int, groups: Numbers) -> Callable[[Numbers, Numbers], Numbers]:
    """Return a selection (a function) of the *get* cheapest units in each group of *buy* + *get* units."""
    size = buy + get

    def held(first: Numbers, baskets: Numbers) -> Numbers:
        within = np.minimum(first, groups[baskets] * size)
        whole = within // size
        count: Numbers = whole * get + np.maximum(0, within - whole * size - buy)
        return count

    return held


def _runs(target: Target, scope: Mask | None) -> _Runs:
    """Return the runs of lines in *scope*; if a line price does not divide evenly, some units cost 1 more."""
    layout = target.cart.layout
    lines = np.arange(target.prices.size) if scope is None else np.flatnonzero(scope)
    prices, quantities = target.prices.reshape(-1)[lines], target.cart.quantities.reshape(-1)[lines]
    plain = prices // quantities
    dearer = prices - plain * quantities
    own = np.concatenate([lines, lines])
    run_prices, units = np.concatenate([plain + 1, plain]), np.concatenate([dearer, quantities - dearer])
    there = units > 0
    own, run_prices, units = own[there], run_prices[there], units[there]
    baskets, line_index = layout.baskets.reshape(-1)[own], layout.line_index.reshape(-1)[own]
    order = np.lexsort((line_index, -run_prices, baskets))
    baskets, units = baskets[order], units[order]
    running = np.cumsum(units) - units
    firsts = np.searchsorted(baskets, baskets)
    return _Runs(run_prices[order], units, own[order], baskets, running - running[firsts])
