"""Access prices over columns of requests: the events of gates, priced again. Decisions §9.

Millions of requests ask for few things: those that are alike in all but their quantity are found with NumPy,
the scalar function prices one of each, and quantities are multiplied a column at a time. From a quantity
tier on, one of each quantity is priced so. Nothing here prices by a rule of its own.
"""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from faregate.batch.columns.values import answer_by_row, whole_numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.gate.requests import Alike, GateColumns, alike_in, cases_of
from faregate.batch.money.rounding import LEAST, fitting
from faregate.catalogue.gate_rules import MOST_UNITS
from faregate.catalogue.pools import NOTHING_TAKEN
from faregate.errors import InvalidAccessRequest
from faregate.gate import price as access
from faregate.gate.requests import read_request

if TYPE_CHECKING:
    import numpy.typing as npt

    from faregate.batch.columns.values import Numbers
    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.pools import Capacity
    from faregate.errors import Issue
    from faregate.gate.price import GatePrice
    from faregate.gate.requests import GateRequest

_MOST_PRICE = (2**63 - 1) // MOST_UNITS
"""Up to it any quantity of units has a total that fits int64."""


class GatePriceColumns(NamedTuple):
    """What a unit costs, and what all of a request do: int64 ``[n]``, in minor units; and their currency."""

    unit_price: Numbers
    calculated_price: Numbers
    currency: npt.NDArray[np.str_]

    def _repr_html_(self) -> str:
        return columns_html(self)


class Refusal(NamedTuple):
    """Requests that have no price for the same reasons; ``rows``: int64 ``[k]``, ascending."""

    rows: Numbers
    faults: tuple[Issue, ...]


def gate_price(
    requests: GateColumns, *, catalogue: Catalogue, sold: Capacity = NOTHING_TAKEN
) -> GatePriceColumns:
    """What a gate charges for each of *requests*; *sold* is the same for all of them.

    >>> from faregate.catalogue.catalogue import Catalogue
    >>> from faregate.catalogue.entries import Category, Merchant
    >>> from faregate.catalogue.price_rules import PriceRule
    >>> from faregate.catalogue.products import ExternalId, Product, ProductType, Variant
    >>> from faregate.dates.instants import Duration
    >>> from faregate.tax.rates import VatRate
    >>> from faregate.translations import Text
    >>> ids = ExternalId("gate", "dta_product_id", "1"), ExternalId("gate", "dta_consumer_category", "1")
    >>> adult = Variant(id=101, name="Adult", rate=VatRate.percent("8.1"), prices=(PriceRule(7900),),
    ...                 external_ids=ids)
    >>> ticket = Product(id=11, slug="ticket", identifier="TICKET", name="Ticket", type=ProductType.TICKET,
    ...                  category=1, merchant="lifts", variants=(adult,), durations=(Duration(days=1),))
    >>> resort = Catalogue(merchants=(Merchant("lifts", "Europe/Zurich", "CHF"),),
    ...                    categories=(Category(1, Text("Tickets")),), products=(ticket,))
    >>> days = np.array(["2027-01-09", "2027-01-10"], "datetime64[D]")
    >>> asked = GateColumns(days, "2027-01-02", np.array([3, 1]), "CHF",
    ...                       dta_product_id=1, dta_consumer_category=1)
    >>> gate_price(asked, catalogue=resort).calculated_price
    array([23700,  7900])

    Raises:
        InvalidInput: a column has another dtype than ``GateColumns`` says.
        InvalidAccessRequest: what is wrong with the first request that has no price, its row named; for
            all of them see ``refused_requests``.
        InvalidAmount: a price does not fit int64.
    """
    asked = _Asked.of(requests, catalogue, sold)
    refused = asked.refused()
    if len(refused):
        row = int(refused[0])
        raise InvalidAccessRequest(*[_of_row(row, fault) for fault in asked.faults(row)])
    return _prices(asked, requests.shape)


def refused_requests(
    requests: GateColumns, *, catalogue: Catalogue, sold: Capacity = NOTHING_TAKEN
) -> tuple[Refusal, ...]:
    """Those of *requests* that have no price, by what is wrong with them; the first of them first.

    The others, which may be millions, have prices: ``requests.take`` makes columns of them.

    >>> from faregate.catalogue.catalogue import Catalogue
    >>> asked = GateColumns("2027-01-09", "2027-01-02", np.array([1, 0, 3]), "CHF",
    ...                       dta_product_id=1, dta_consumer_category=1)
    >>> for rows, faults in refused_requests(asked, catalogue=Catalogue()):
    ...     print(rows, *[fault.message for fault in faults], sep="; ")
    [0 2]; nothing has 1 with dta_consumer_category 1
    [1]; expected 1 to 1000000, got 0; nothing has 1 with dta_consumer_category 1

    Raises:
        InvalidInput: a column has another dtype than ``GateColumns`` says.
    """
    asked = _Asked.of(requests, catalogue, sold)
    refused = asked.refused()
    cases, quantities = asked.cases.numbers[refused], asked.quantities[refused]
    quantities[(quantities >= 1) & (quantities <= MOST_UNITS)] = 1  # all the same for what is wrong
    order = np.lexsort((quantities, cases))
    is_first = np.ones(len(order), np.bool_)
    cases, quantities = cases[order], quantities[order]
    is_first[1:] = (cases[1:] != cases[:-1]) | (quantities[1:] != quantities[:-1])
    groups = np.split(refused[order], np.flatnonzero(is_first)[1:]) if len(refused) else []
    groups.sort(key=itemgetter(0))
    return tuple(Refusal(rows, asked.faults(int(rows[0]))) for rows in groups)


# ---------------------------------------------------------------- one of each, and then all of them


class _Quote(NamedTuple):
    """What a unit costs; so many units and more do not simply cost so many times as much."""

    unit_price: int
    currency: str
    special_from: int


class _Asked(NamedTuple):
    """Requests, which of them are alike, and the quote for each case; None: it has no price."""

    requests: GateColumns
    catalogue: Catalogue
    sold: Capacity
    cases: Alike
    quantities: Numbers
    quotes: list[_Quote | None]

    @classmethod
    def of(cls, requests: GateColumns, catalogue: Catalogue, sold: Capacity) -> _Asked:
        cases = cases_of(requests)
        column = whole_numbers("quantity", requests.quantity)
        quotes = [_quote(requests.request(row), catalogue, sold) for row in cases.first_rows().tolist()]
        return cls(requests, catalogue, sold, cases, np.broadcast_to(column, cases.numbers.shape), quotes)

    def refused(self) -> Numbers:
        """The rows that have no price."""
        has_none = np.array([quote is None for quote in self.quotes], np.bool_)
        return np.flatnonzero(
            has_none[self.cases.numbers] | (self.quantities < 1) | (self.quantities > MOST_UNITS)
        )

    def faults(self, row: int) -> tuple[Issue, ...]:
        """What is wrong with the request of that row."""
        located: tuple[Issue, ...] = ()
        try:
            self.price(row)
        except InvalidAccessRequest as error:
            located = error.located
        return located

    def price(self, row: int) -> GatePrice:
        """The price of that row by itself."""
        return access.gate_price(self.requests.request(row), catalogue=self.catalogue, sold=self.sold)


def _quote(request: GateRequest, catalogue: Catalogue, sold: Capacity) -> _Quote | None:
    one = replace(request, quantity=1)
    try:
        price = access.gate_price(one, catalogue=catalogue, sold=sold)
    except InvalidAccessRequest:
        return None
    case, _ = read_request(one, catalogue)
    tiers = case.point.product.quantity_tiers if case else ()
    special_from = min([tier.min_quantity for tier in tiers], default=MOST_UNITS + 1)
    return _Quote(price.unit_price, price.currency, special_from if price.unit_price <= _MOST_PRICE else 1)


def _prices(asked: _Asked, shape: tuple[int, ...]) -> GatePriceColumns:
    """The prices of requests that all have one."""
    case, quantities = asked.cases.numbers, asked.quantities
    quotes = [quote for quote in asked.quotes if quote is not None]
    units = np.array([min(quote.unit_price, -LEAST - 1) for quote in quotes], np.int64)[case]
    totals = units * quantities
    special_from = np.array([quote.special_from for quote in quotes], np.int64)
    _answer_specials(totals, np.flatnonzero(quantities >= special_from[case]), asked)
    currencies = np.array([quote.currency for quote in quotes], np.str_)[case]
    return GatePriceColumns(units.reshape(shape), totals.reshape(shape), currencies.reshape(shape))


def _answer_specials(totals: Numbers, rows: npt.NDArray[np.intp], asked: _Asked) -> None:
    """Write the totals of special *rows*; of those alike and of one quantity, the first is asked for."""

    def ask(row: int) -> int:
        price = asked.price(row)
        fitting(price.unit_price)
        return fitting(price.calculated_price)

    of_case = Alike(asked.cases.numbers[rows], asked.cases.size)
    alike = of_case.also(alike_in(asked.quantities[rows]))
    firsts = rows[alike.first_rows()]
    answer_by_row(totals, np.sort(firsts), ask)
    totals[rows] = totals[firsts][alike.numbers]


def _of_row(row: int, fault: Issue) -> Issue:
    return fault._replace(loc=(row, *fault.loc), message=f"row {row}: {fault.message}")
