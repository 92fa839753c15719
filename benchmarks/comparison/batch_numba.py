"""B as one fused loop over the carts, compiled by numba, if it is installed.

The loop suits carts of few lines, like these: every line counts the larger remainders of its cart. Quotients
are computed in float64, which is exact below 2**53 and takes a third of the time; the bound is not checked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from benchmarks.comparison.batch_workload import MILLION, MOST_LINES, PERCENT_OFF, Answer, Carts, Figures
from benchmarks.comparison.contenders import LeftOut, optional

numba: Any = optional("numba")
CHUNK = 4096
"""Number of carts that a thread takes at once."""


def require() -> None:
    if numba is None:
        raise LeftOut("numba: left out, not installed (make bench-compare has it).")


def raise_largest(shares: Any, lines: Any, keys: Any, count: int, short: int) -> None:
    """Add one to the shares with the largest keys. Keys differ: no branch depends on the amounts."""
    for one in range(count):
        above = 0
        for other in range(count):
            above += keys[other] > keys[one]
        shares[lines[one]] += above < short


def give_back(gross: Any, rates: Any, nets: Any, span: Any, scratch: Any) -> None:
    """Compute the nets of a cart for one rate, and for the other, if any."""
    start, _end = span
    rate: Any = rates[start]
    other = net_of_rate(gross, rates, nets, span, rate, scratch)
    if other != rate:
        net_of_rate(gross, rates, nets, span, other, scratch)


def net_of_rate(gross: Any, rates: Any, nets: Any, span: Any, rate: int, scratch: Any) -> int:
    """Compute the nets of the lines of a rate; return the cart's other rate, or the same."""
    start, end = span
    lines, keys = scratch
    whole, count = MILLION + rate, 0
    total, floors, other = 0, 0, rate
    for line in range(start, end):
        if rates[line] == rate:
            scaled = gross[line] * MILLION
            floor: Any = np.int64(scaled / whole)
            nets[line] = floor
            lines[count] = line
            keys[count] = (scaled - floor * whole) * MOST_LINES + MOST_LINES - 1 - count
            total += gross[line]
            floors += floor
            count += 1
        else:
            other = rates[line]
    net = total - (2 * total * rate + whole) // (2 * whole)
    raise_largest(nets, lines, keys, count, net - floors)
    return other


def price(
    start: int,
    end: int,
    given: Any,
    listed: Any,
    discount: Any,
    total: Any,
    scratch: Any,
) -> None:
    """Compute the gross figures of a cart."""
    unit_price, quantity = given
    lines, keys = scratch
    whole = 0
    for line in range(start, end):
        listed[line] = unit_price[line] * quantity[line]
        whole += listed[line]
    code = (whole * PERCENT_OFF + 50) // 100
    short = code
    for line in range(start, end):
        scaled = listed[line] * code
        discount[line] = np.int64(scaled / whole)
        place = line - start
        lines[place] = line
        keys[place] = (scaled - discount[line] * whole) * MOST_LINES + MOST_LINES - 1 - place
        short -= discount[line]
    raise_largest(discount, lines, keys, end - start, short)
    for line in range(start, end):
        total[line] = listed[line] - discount[line]


def finish(start: int, end: int, cart: int, lines: Any, sums: Any) -> None:
    """Compute the net list prices and the sums of the cart."""
    listed, list_net, discount, discount_net, _total, total_net = lines
    gross, off, net, off_net = 0, 0, 0, 0
    for line in range(start, end):
        list_net[line] = total_net[line] + discount_net[line]
        gross += listed[line]
        off += discount[line]
        net += total_net[line]
        off_net += discount_net[line]
    sums[0][cart], sums[1][cart], sums[2][cart] = gross, net + off_net, off
    sums[3][cart], sums[4][cart], sums[5][cart] = off_net, gross - off, net


def loop(offsets: Any, given: Any, rate: Any, lines: Any, sums: Any) -> None:
    listed, _, discount, discount_net, total, total_net = lines
    carts = len(offsets) - 1
    for chunk in prange((carts + CHUNK - 1) // CHUNK):
        scratch = np.empty(MOST_LINES + 1, np.int64), np.empty(MOST_LINES + 1, np.int64)
        for cart in range(chunk * CHUNK, min(carts, (chunk + 1) * CHUNK)):
            start, end = offsets[cart], offsets[cart + 1]
            price(start, end, given, listed, discount, total, scratch)
            give_back(total, rate, total_net, (start, end), scratch)
            give_back(discount, rate, discount_net, (start, end), scratch)
            finish(start, end, cart, lines, sums)


prange: Any = numba.prange if numba else range
_CALLED = ("raise_largest", "net_of_rate", "give_back", "price", "finish")


@cache
def compiled() -> Any:
    """Return the loop compiled for threads, which is faster on one thread, too."""
    for name in _CALLED:
        globals()[name] = numba.njit(globals()[name], error_model="numpy", inline="always")
    return numba.njit(loop, error_model="numpy", parallel=True)


def with_numba(threads: int) -> Callable[[Carts], Callable[[], Answer]]:
    require()

    def prepare(carts: Carts) -> Callable[[], Answer]:
        run_loop = compiled()

        def run() -> Answer:
            numba.set_num_threads(threads)
            lines = tuple(np.empty((6, len(carts.rate)), np.int64))
            sums = tuple(np.empty((6, len(carts.offsets) - 1), np.int64))
            run_loop(carts.offsets, (carts.unit_price, carts.quantity), carts.rate, lines, sums)
            return Answer(Figures(*lines), Figures(*sums))

        return run

    return prepare
