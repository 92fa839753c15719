"""Every public batch function has a law that ties it to its scalar function, and that detects errors.

A law detects errors if it fails when the function is off by one, and when the scalar function is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import Phase, settings

from batch.columns import test_basket_laws
from batch.insights import test_grouped_price_laws, test_insight_laws
from batch.money import test_allocation_laws, test_rounding_laws
from batch.subscriptions import test_renewal_laws
from batch.tax import test_tax_laws
from batch.totals import test_totals_laws
from batch.validity import test_validity_laws
from faregate import batch
from faregate.batch.insights.prices import SortedPrices
from faregate.insights.distribution import PriceDistribution
from faregate.money import allocation, rounding
from faregate.subscriptions import proration
from faregate.subscriptions import schedule as renewals
from faregate.tax import rates as tax
from faregate.totals.request import PricingRequest
from support.columns import priced_baskets, season_arrays
from support.oracles.seasons import Season

PACKAGE: Any = batch
PUBLIC_FUNCTIONS = [name for name in PACKAGE.__all__ if isinstance(getattr(batch, name), FunctionType)]


class Law(NamedTuple):
    """A law of a function, and the owner of the function it compares with.

    That has the same name unless ``other`` is its name. ``caller`` calls the function if the law does not
    do so itself.
    """

    test: Callable[..., None]
    owner: object
    other: str = ""
    caller: Any = None


LAWS = {
    "allocate": Law(test_allocation_laws.test_shares_match_the_scalar_in_every_basket, allocation),
    "allocate_bucket": Law(
        test_allocation_laws.test_shares_in_a_bucket_match_the_scalar_in_every_basket, allocation, "allocate"
    ),
    "buckets_of": Law(
        test_basket_laws.test_buckets_group_the_baskets_by_line_count, test_basket_laws, "bucketed"
    ),
    "from_buckets": Law(
        test_basket_laws.test_matrices_convert_back_to_their_column, test_basket_laws, "joined"
    ),
    "offsets_of": Law(
        test_basket_laws.test_offsets_are_running_sums_of_sizes, test_basket_laws, "running_sums"
    ),
    "to_buckets": Law(
        test_basket_laws.test_matrices_have_a_row_per_position_and_a_column_per_basket,
        test_basket_laws,
        "transposed",
    ),
    "grouped_prices": Law(
        test_grouped_price_laws.test_each_group_matches_the_scalar, test_grouped_price_laws, "from_prices"
    ),
    "price_distribution": Law(
        test_insight_laws.test_distribution_of_a_column_matches_the_scalar, test_insight_laws, "from_prices"
    ),
    "price_distributions": Law(
        test_insight_laws.test_groups_match_the_scalar_one_by_one, test_insight_laws, "from_counts"
    ),
    "quantiles": Law(
        test_insight_laws.test_quantiles_of_a_histogram_equal_those_of_the_column,
        test_insight_laws,
        "from_prices",
    ),
    "next_billing_date": Law(
        test_renewal_laws.test_next_billing_date_matches_the_scalar_in_every_row, renewals
    ),
    "prorate": Law(test_renewal_laws.test_prorated_amount_matches_the_scalar_in_every_row, proration),
    "renewal_date": Law(test_renewal_laws.test_renewal_date_matches_the_scalar_in_every_row, renewals),
    "renewal_dates": Law(test_renewal_laws.test_renewal_dates_match_the_scalar_in_every_row, renewals),
    "divide_rounded": Law(test_rounding_laws.test_quotient_matches_the_scalar_in_every_row, rounding),
    "round_to_increment": Law(test_rounding_laws.test_multiple_matches_the_scalar_in_every_row, rounding),
    "gross_from_net": Law(test_tax_laws.test_gross_matches_the_scalar_in_every_row, tax),
    "net_from_gross": Law(test_tax_laws.test_net_matches_the_scalar_in_every_row, tax),
    "season": Law(
        test_validity_laws.test_calendar_equals_the_oracle_for_each_window, test_validity_laws, "option"
    ),
    "season_capacity": Law(
        test_validity_laws.test_capacity_equals_the_oracle_for_each_window, Season, "capacity", season_arrays
    ),
    "season_prices": Law(
        test_validity_laws.test_price_equals_the_oracle_for_each_window, Season, "price", season_arrays
    ),
    "window_extremes": Law(
        test_validity_laws.test_each_window_has_its_minimum_and_its_maximum, test_validity_laws, "in_arrays"
    ),
    "window_maximum": Law(
        test_validity_laws.test_each_window_has_its_minimum_and_its_maximum, test_validity_laws, "in_arrays"
    ),
    "window_minimum": Law(
        test_validity_laws.test_each_window_has_its_minimum_and_its_maximum, test_validity_laws, "in_arrays"
    ),
    "checkout_totals": Law(
        test_totals_laws.test_many_baskets_match_the_scalar_one_by_one,
        priced_baskets,
        "price_one",
        priced_baskets,
    ),
    "vat_breakdown": Law(
        test_totals_laws.test_many_baskets_match_the_scalar_one_by_one,
        priced_baskets,
        "price_one",
        priced_baskets,
    ),
}

CALLING_THE_SCALAR = {"prorate"}
"""Functions that call the scalar function row by row, and so agree with a broken one."""


def off_by_one(answer: Any) -> Any:
    """Return a result of the same kind, wrong in every amount, number and date."""
    match answer:
        case PriceDistribution():
            return PriceDistribution(off_by_one(answer.prices), answer.counts)
        case PricingRequest():
            return answer  # part of the question
        case SortedPrices():
            return SortedPrices(off_by_one(answer.prices))
        case dict():
            return {off_by_one(key): value for key, value in answer.items()}
        case list():
            return [*map(off_by_one, answer)]
        case tuple():
            parts = tuple(map(off_by_one, answer))
            return type(answer)(*parts) if hasattr(answer, "_fields") else parts
        case _:
            return _next_to(answer)


def _next_to(answer: Any) -> Any:
    match answer:
        case np.ndarray() if answer.dtype.kind in "iM":
            return answer + 1
        case bool() | np.ndarray(dtype=np.dtypes.BoolDType()):
            return np.logical_not(answer)
        case int() | float() | Fraction():
            return answer + 1
        case date():
            return answer + timedelta(days=1 if answer < date.max else -1)
        case _:
            return answer


def broken(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return *function* with its results off by one."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        return off_by_one(function(*args, **kwargs))

    return wrong


@contextmanager
def searched_briefly(law: Law) -> Iterator[None]:
    """Run the law with the same few examples every time, and store none."""
    few = settings(
        max_examples=100,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
    )
    # A law keeps the settings of its definition; this is the only way to run it once with others.
    with patch.object(law.test, "_hypothesis_internal_use_settings", few):
        yield


def own_module(law: Law) -> dict[str, Any]:
    names: dict[str, Any] = law.test.hypothesis.inner_test.__globals__  # type: ignore[attr-defined]
    return names


def test_every_public_function_has_a_law() -> None:
    assert sorted(LAWS) == sorted(PUBLIC_FUNCTIONS)


@pytest.mark.parametrize("name", PUBLIC_FUNCTIONS)
def test_law_is_a_test_in_this_folder(name: str) -> None:
    law = LAWS[name]
    home = Path(own_module(law)["__file__"])

    assert (home.is_relative_to(Path(__file__).parent), home.match("test_*.py")) == (True, True)
    assert own_module(law)[law.test.__name__] is law.test
    assert law.test.__name__.startswith("test_")


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLIC_FUNCTIONS)
def test_law_fails_if_its_function_is_off_by_one(name: str) -> None:
    law = LAWS[name]
    caller = own_module(law) if law.caller is None else vars(law.caller)
    assert caller[name] is getattr(batch, name)

    with (
        patch.dict(caller, {name: broken(caller[name])}),
        searched_briefly(law),
        pytest.raises(AssertionError),
    ):
        law.test()


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PUBLIC_FUNCTIONS if name not in CALLING_THE_SCALAR])
def test_law_fails_if_its_scalar_function_is_off_by_one(name: str) -> None:
    law = LAWS[name]
    scalar = law.other or name

    with (
        patch.object(law.owner, scalar, broken(getattr(law.owner, scalar))),
        searched_briefly(law),
        pytest.raises(AssertionError),
    ):
        law.test()
