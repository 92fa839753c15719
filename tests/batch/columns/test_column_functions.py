"""Functions of columns read their arguments in the same way: a column, or one value for all rows."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from faregate import batch
from faregate.errors import InvalidInput
from faregate.subscriptions.rules import Monthly

Given = dict[str, Any]
JANUARY, NOVEMBER = np.datetime64("2023-01-30"), np.datetime64("2026-11-28")
BOUNDS = ("part_start", "part_end", "whole_start", "whole_end")
PERIODS = dict(zip(BOUNDS, (np.datetime64(f"2024-02-{day:02}") for day in (9, 19, 1, 27)), strict=True))
CALLS: list[tuple[Callable[..., npt.NDArray[Any]], Given]] = [
    (batch.divide_rounded, {"numerators": 5, "denominators": 2}),
    (batch.round_to_increment, {"amounts": 166, "increments": 5}),
    (batch.net_from_gross, {"gross": 10_810, "rate": 81_000}),
    (batch.gross_from_net, {"net": 10_000, "rate": 81_000}),
    (partial(batch.renewal_date, Monthly()), {"anchor": JANUARY, "index": 3}),
    (partial(batch.next_billing_date, Monthly()), {"anchor": JANUARY, "after": NOVEMBER}),
    (batch.prorate, {"amount": 6001, **PERIODS}),
]
each = pytest.mark.parametrize(("function", "given"), CALLS)


def columns_of(given: Given) -> Given:
    """Return columns of three rows: the given values, and the following ones."""
    return {name: np.array(own) + np.arange(3) for name, own in given.items()}


@each
def test_one_value_applies_to_a_whole_column(function: Callable[..., Any], given: Given) -> None:
    columns = columns_of(given)

    for name, own in given.items():
        repeated = function(**columns | {name: columns[name][[0, 0, 0]]})
        for one in (own, columns[name][0], np.array(columns[name][0])):
            assert function(**columns | {name: one}).tolist() == repeated.tolist()


@each
def test_single_values_have_no_axes(function: Callable[..., Any], given: Given) -> None:
    found = function(**given)

    assert (found.shape, found.item()) == ((), function(**columns_of(given))[0].item())


@each
def test_no_rows_give_no_results(function: Callable[..., Any], given: Given) -> None:
    some = function(**columns_of(given))

    found = function(**{name: column[:0] for name, column in columns_of(given).items()})

    assert (found.dtype, found.shape) == (some.dtype, (0,))


@each
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, ">i8"])
def test_integers_of_any_dtype_are_accepted(function: Callable[..., Any], given: Given, dtype: Any) -> None:
    columns = columns_of(given)

    found = function(
        **{name: own.astype(dtype) if own.dtype == int else own for name, own in columns.items()}
    )

    assert found.dtype == function(**columns).dtype
    assert found.tolist() == function(**columns).tolist()


@each
def test_columns_of_different_lengths_are_refused(function: Callable[..., Any], given: Given) -> None:
    columns = columns_of(given)
    first, second, *_ = columns

    with pytest.raises(InvalidInput, match=rf"^columns differ in length: {first} \[2\], {second} \[3\]"):
        function(**columns | {first: columns[first][:2]})


@each
@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (np.zeros(3), r"float64 \[3\]"),
        (np.zeros(3, np.uint64), r"uint64 \[3\]"),
        (np.zeros(3, np.bool_), r"bool \[3\]"),
        (np.zeros((3, 1), np.int64), r"int64 \[3, 1\]"),
        ([1, 2, 3], "list"),
        (2**63, "int"),
        (True, "bool"),
        (2.0, "float"),
    ],
)
def test_values_other_than_integers_are_refused_with_dtype_and_shape(
    function: Callable[..., Any], given: Given, wrong: Any, named: str
) -> None:
    for name in [name for name, own in given.items() if type(own) is int]:
        with pytest.raises(
            InvalidInput, match=rf"^{name}: expected int64 \[n\] or an int of 64 bits, got {named}$"
        ):
            function(**columns_of(given) | {name: wrong})
