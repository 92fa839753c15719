"""Integer columns for the laws, which compare the batch function with the scalar one."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from faregate.errors import InvalidInput
from support.baskets.strategies import amounts
from support.columns.arrays import read_only

LEAST, MOST = -(2**63), 2**63 - 1

# The limits of exact floats, of doubles and of sums.
_EDGES = [sign * 2**power + off for power in (31, 52, 53, 62) for sign in (1, -1) for off in (-1, 0, 1)]
anything = st.integers(LEAST, MOST)
edges = st.sampled_from([*_EDGES, 0, LEAST, LEAST + 1, MOST - 1, MOST])
signed_amounts = amounts | amounts.map(lambda amount: -amount)
numbers = st.one_of(signed_amounts, signed_amounts, signed_amounts, edges, anything)
sizes = st.sampled_from([1, 0, 2, 7])


def column_of(values: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return a read-only int64 column."""
    return read_only(np.array(values, np.int64))


class Refused(NamedTuple):
    """A comparable representation of an error."""

    kind: type[Exception]
    message: str


Outcome: TypeAlias = list[Any] | Refused


def by_row(count: int, scalar: Callable[[int], Any]) -> Outcome:
    """Return the results of the scalar function, or its error for the first refused row."""
    answers = []
    for row in range(count):
        try:
            answers.append(scalar(row))
        except (InvalidInput, ZeroDivisionError) as error:
            return Refused(type(error), f"row {row}: {error}")
    return answers


def by_column(twin: Callable[[], npt.NDArray[Any]]) -> Outcome:
    """Return the results of the batch function, of int64, or its error."""
    try:
        found = twin()
    except (InvalidInput, ZeroDivisionError) as error:
        return Refused(type(error), str(error))
    assert found.dtype == np.int64
    assert found.flags.writeable
    answers: list[Any] = found.tolist()
    return answers
