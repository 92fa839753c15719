"""Every public batch function has a law that ties it to its scalar function, and that detects errors.

A law detects errors if it fails when the function is off by one.
"""

from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any
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
from support.columns import priced_baskets, season_arrays

PACKAGE: Any = batch
PUBLIC_FUNCTIONS = [name for name in PACKAGE.__all__ if isinstance(getattr(batch, name), FunctionType)]


LAWS: dict[str, Callable[..., None]] = {
    "allocate": test_allocation_laws.test_shares_match_the_scalar_in_every_basket,
    "allocate_bucket": test_allocation_laws.test_shares_in_a_bucket_match_the_scalar_in_every_basket,
    "buckets_of": test_basket_laws.test_buckets_group_the_baskets_by_line_count,
    "checkout_totals": test_totals_laws.test_many_baskets_match_the_scalar_one_by_one,
    "divide_rounded": test_rounding_laws.test_quotient_matches_the_scalar_in_every_row,
    "from_buckets": test_basket_laws.test_matrices_convert_back_to_their_column,
    "gross_from_net": test_tax_laws.test_gross_matches_the_scalar_in_every_row,
    "grouped_prices": test_grouped_price_laws.test_each_group_matches_the_scalar,
    "net_from_gross": test_tax_laws.test_net_matches_the_scalar_in_every_row,
    "next_billing_date": test_renewal_laws.test_next_billing_date_matches_the_scalar_in_every_row,
    "offsets_of": test_basket_laws.test_offsets_are_running_sums_of_sizes,
    "price_distribution": test_insight_laws.test_distribution_of_a_column_matches_the_scalar,
    "price_distributions": test_insight_laws.test_groups_match_the_scalar_one_by_one,
    "prorate": test_renewal_laws.test_prorated_amount_matches_the_scalar_in_every_row,
    "quantiles": test_insight_laws.test_quantiles_of_a_histogram_equal_those_of_the_column,
    "renewal_date": test_renewal_laws.test_renewal_date_matches_the_scalar_in_every_row,
    "renewal_dates": test_renewal_laws.test_renewal_dates_match_the_scalar_in_every_row,
    "round_to_increment": test_rounding_laws.test_multiple_matches_the_scalar_in_every_row,
    "season": test_validity_laws.test_calendar_equals_the_oracle_for_each_window,
    "season_capacity": test_validity_laws.test_capacity_equals_the_oracle_for_each_window,
    "season_prices": test_validity_laws.test_price_equals_the_oracle_for_each_window,
    "to_buckets": test_basket_laws.test_matrices_have_a_row_per_position_and_a_column_per_basket,
    "vat_breakdown": test_totals_laws.test_many_baskets_match_the_scalar_one_by_one,
    "window_extremes": test_validity_laws.test_each_window_has_its_minimum_and_its_maximum,
    "window_maximum": test_validity_laws.test_each_window_has_its_minimum_and_its_maximum,
    "window_minimum": test_validity_laws.test_each_window_has_its_minimum_and_its_maximum,
}
CALLERS: dict[str, Any] = {
    "checkout_totals": priced_baskets,
    "season_capacity": season_arrays,
    "season_prices": season_arrays,
    "vat_breakdown": priced_baskets,
}
"""Modules that call a function for its law, which does not call it itself."""


def off_by_one(answer: Any) -> Any:
    """Return a result of the same kind, wrong in every amount, number and date."""
    match answer:
        case PriceDistribution():
            return PriceDistribution(off_by_one(answer.prices), answer.counts)
        case SortedPrices():
            return SortedPrices(off_by_one(answer.prices))
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
        case _:
            return answer


def broken(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return *function* with its results off by one."""

    def wrong(*args: Any, **kwargs: Any) -> Any:
        return off_by_one(function(*args, **kwargs))

    return wrong


def own_module(law: Callable[..., None]) -> dict[str, Any]:
    names: dict[str, Any] = law.hypothesis.inner_test.__globals__  # type: ignore[attr-defined]
    return names


def test_every_public_function_has_a_law() -> None:
    assert sorted(LAWS) == sorted(PUBLIC_FUNCTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLIC_FUNCTIONS)
def test_law_fails_if_its_function_is_off_by_one(name: str) -> None:
    law = LAWS[name]
    caller = vars(CALLERS[name]) if name in CALLERS else own_module(law)
    few = settings(max_examples=100, derandomize=True, database=None, deadline=None, phases=[Phase.generate])

    assert caller[name] is getattr(batch, name)
    with (
        patch.dict(caller, {name: broken(caller[name])}),
        # A law keeps the settings of its definition; this is the only way to run it once with others.
        patch.object(law, "_hypothesis_internal_use_settings", few),
        pytest.raises(AssertionError),
    ):
        law()
