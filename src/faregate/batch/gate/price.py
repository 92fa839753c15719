"""Gate prices for columns of requests, for example to reprice past gate events. Decisions §9.

The scalar function prices every distinct request once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.values import Numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.gate.requests import Case, GateColumns, case_of
from faregate.batch.money.rounding import fitting
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.gate_rules import MOST_UNITS
from faregate.catalogue.pools import NOTHING_TAKEN, Capacity
from faregate.errors import InvalidAccessRequest, InvalidAmount, Issue
from faregate.gate import price as access
from faregate.gate.price import GatePrice
from faregate.gate.requests import GateRequest

Outcome: TypeAlias = GatePrice | tuple[Issue, ...]
"""The price of a request, or all of its issues."""


class GatePriceColumns(NamedTuple):
    """Unit price and total of each request, int64 ``[n]`` in minor units, and the currency."""

    unit_price: Numbers
    calculated_price: Numbers
    currency: npt.NDArray[np.str_]

    def _repr_html_(self) -> str:
        return columns_html(self)


class Refusal(NamedTuple):
    """Rows of requests rejected for the same reasons, int64 ``[k]`` ascending, and their issues."""

    rows: Numbers
    faults: tuple[Issue, ...]


def gate_price(
    requests: GateColumns, *, catalogue: Catalogue, sold: Capacity = NOTHING_TAKEN
) -> GatePriceColumns:
    """Return each request's gate price, given the units *sold* before any of the *requests*.

    >>> from faregate.files import demo_catalogue
    >>> days = np.array(["2027-01-09", "2027-01-10"], "datetime64[D]")
    >>> asked = GateColumns(days, "2027-01-02", np.array([3, 1]), "CHF",
    ...                       dta_product_id=1, dta_consumer_category=1)
    >>> gate_price(asked, catalogue=demo_catalogue()).calculated_price
    array([23700,  7900])

    Raises:
        InvalidInput: a column has a dtype that ``GateColumns`` does not accept.
        InvalidAccessRequest: a request has no price. The message gives the row and the issues of the first
            such request; ``refused_requests`` returns all such requests.
        InvalidAmount: a price does not fit int64.
    """
    prices: list[GatePrice] = []
    for row, (_, outcome) in enumerate(_outcomes(requests, catalogue, sold)):
        if not isinstance(outcome, GatePrice):
            raise InvalidAccessRequest(*[_of_row(row, issue) for issue in outcome])
        prices.append(outcome)
    return _columns_of(prices, requests.shape)


def refused_requests(
    requests: GateColumns, *, catalogue: Catalogue, sold: Capacity = NOTHING_TAKEN
) -> tuple[Refusal, ...]:
    """Return the *requests* without a price, grouped by their issues and ordered by their first rows.

    To price the other requests, select them with ``requests.take``.

    >>> from faregate.catalogue.catalogue import Catalogue
    >>> asked = GateColumns("2027-01-09", "2027-01-02", np.array([1, 0, 3]), "CHF",
    ...                       dta_product_id=1, dta_consumer_category=1)
    >>> for rows, faults in refused_requests(asked, catalogue=Catalogue()):
    ...     print(rows, *[fault.message for fault in faults], sep="; ")
    [0 2]; no variant has 1 with dta_consumer_category 1
    [1]; expected 1 to 1000000, got 0; no variant has 1 with dta_consumer_category 1

    Raises:
        InvalidInput: a column has a dtype that ``GateColumns`` does not accept.
    """
    rows_of: dict[Case, list[int]] = {}
    issues_of: dict[Case, tuple[Issue, ...]] = {}
    for row, (request, outcome) in enumerate(_outcomes(requests, catalogue, sold)):
        if not isinstance(outcome, GatePrice):
            case = case_of(_without_possible_quantity(request))
            rows_of.setdefault(case, []).append(row)
            issues_of.setdefault(case, outcome)
    return tuple(Refusal(np.array(rows), issues_of[case]) for case, rows in rows_of.items())


def _outcomes(
    requests: GateColumns, catalogue: Catalogue, sold: Capacity
) -> Iterator[tuple[GateRequest, Outcome]]:
    """Yield each request with its price or all of its issues."""
    known: dict[Case, Outcome] = {}
    for request in requests.rows():
        case = case_of(request)
        if case not in known:
            known[case] = _outcome(request, catalogue, sold)
        yield request, known[case]


def _outcome(request: GateRequest, catalogue: Catalogue, sold: Capacity) -> Outcome:
    try:
        return access.gate_price(request, catalogue=catalogue, sold=sold)
    except InvalidAccessRequest as error:
        return error.issues


def _without_possible_quantity(request: GateRequest) -> GateRequest:
    """Return *request* with its quantity, if valid, set to 1, to group it with similar requests."""
    return replace(request, quantity=1) if 1 <= request.quantity <= MOST_UNITS else request


def _columns_of(prices: list[GatePrice], shape: tuple[int, ...]) -> GatePriceColumns:
    unit_prices, totals = np.empty((2, len(prices)), np.int64)
    for row, price in enumerate(prices):
        try:
            unit_prices[row], totals[row] = fitting(price.unit_price), fitting(price.calculated_price)
        except InvalidAmount as error:
            raise InvalidAmount(f"row {row}: {error}") from None
    currencies = np.array([price.currency for price in prices], np.str_)
    return GatePriceColumns(unit_prices.reshape(shape), totals.reshape(shape), currencies.reshape(shape))


def _of_row(row: int, issue: Issue) -> Issue:
    return issue._replace(loc=(row, *issue.loc), message=f"row {row}: {issue.message}")
