"""Strategies for gate requests, as objects and as columns."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from faregate.arguments.fields import field_names
from faregate.batch.gate.requests import GateColumns
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity
from faregate.gate.requests import GateRequest
from faregate.money.amounts import MILLION
from support.baskets.strategies import rarely, sized
from support.columns.arrays import read_only
from support.columns.numbers import column_of
from support.gate.strategies import FIRST, catalogues, sales, tiers

_DAY = timedelta(days=1)
_quantities = st.integers(1, 13) | st.integers(1, MILLION)
_impossible = st.sampled_from([0, -1, MILLION + 1, 2**63 - 1, -(2**63)])
_flags = st.sampled_from((None, None, False, True))
# Values of each field that a gate may send, some of which are refused.
_changes: dict[str, st.SearchStrategy[Any]] = {
    "quantity": _impossible,
    "currency_code": st.sampled_from(("EUR", "chf", "")),
    "order_date": st.just(FIRST + 40 * _DAY),
    "valid_to": st.sampled_from((FIRST - _DAY, "2027-01-31T23:59:59", "soon")),
    "valid_from": st.sampled_from(("2027-02-03", "2027-02-03T00:00:00+01:00", "2027-02-30", None)),
    "dta_product_id": st.sampled_from((None, 2)),
    "system_product_id": st.sampled_from((None, "1", "2")),
    "depot_flag": st.sampled_from((True, False)),
}


@st.composite
def requests(draw: st.DrawFn, *, one_in: int) -> GateRequest:
    """Draw requests on few days, so that many are alike; one in *one_in* is unusual."""
    first = FIRST + draw(st.integers(0, 2)) * _DAY
    days = draw(st.sampled_from((None, 0, 0, 1, 2)))
    own = GateRequest(
        valid_from=first,
        order_date=first - draw(st.sampled_from((0, 1, 4))) * _DAY,
        quantity=draw(_quantities),
        currency_code="CHF",
        valid_to=None if days is None else first + days * _DAY,
        dta_product_id=1,
        dta_consumer_category=1,
        is_online_pos=draw(_flags),
    )
    names = st.sampled_from(sorted(_changes))
    changed = draw(rarely(st.sets(names, min_size=1, max_size=2).map(sorted), [], one_in=one_in))
    return replace(own, **{name: draw(_changes[name]) for name in changed})


class Gates(NamedTuple):
    """Gate requests with their catalogue and the units sold."""

    requests: list[GateRequest]
    catalogue: Catalogue
    sold: Capacity


@st.composite
def gates(draw: st.DrawFn) -> Gates:
    """Draw a ticket of any price model, with or without tiers."""
    catalogue, sale = draw(catalogues()), draw(sales)
    product = replace(catalogue.products[0], quantity_tiers=draw(st.just(()) | tiers))
    asked = draw(sized(requests(one_in=draw(st.sampled_from((4, 40)))), st.sampled_from([1, 0, 3, 9])))
    return Gates(asked, replace(catalogue, products=(product,)), sale.sold)


@st.composite
def columns_of(draw: st.DrawFn, asked: Sequence[GateRequest]) -> GateColumns:
    """Draw the requests as columns of the narrowest dtypes, of objects, or as single values."""
    columns = {
        name: draw(_column_of([getattr(own, name) for own in asked])) for name in field_names(GateRequest)
    }
    return GateColumns(**(columns | {"quantity": column_of([own.quantity for own in asked])}))


def _column_of(values: list[Any]) -> st.SearchStrategy[Any]:
    objects = np.empty(len(values), object)
    objects[:] = values
    forms = [read_only(objects)]
    types = {type(value) for value in values}
    if types <= {date, type(None)}:
        forms.append(read_only(np.array(values, "datetime64[D]")))
    if len(types) == 1 and types <= {int, bool, str, date}:
        forms.append(read_only(np.array([str(own) for own in values] if types == {date} else values)))
    if values and len(set(values)) == 1 and len(types) == 1:
        forms.append(values[0])
    return st.sampled_from(forms)
