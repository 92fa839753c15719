"""Twins of gate prices: the scalar function's price for each request, or its issues."""

from dataclasses import astuple
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.gate.price import GatePriceColumns, gate_price, refused_requests
from faregate.errors import InvalidAccessRequest, Issue
from faregate.gate import price as access
from support.columns.gate import Gates, columns_of, gates


def faults_by_row(asked: Gates) -> dict[int, tuple[Issue, ...]]:
    """Return the issues of each request that the scalar function refuses."""
    refused = {}
    for row, request in enumerate(asked.requests):
        try:
            access.gate_price(request, catalogue=asked.catalogue, sold=asked.sold)
        except InvalidAccessRequest as error:
            refused[row] = error.issues
    return refused


def listed(columns: GatePriceColumns) -> list[tuple[Any, ...]]:
    assert [columns.unit_price.dtype, columns.calculated_price.dtype] == [np.int64, np.int64]
    return [*zip(*(column.tolist() for column in columns), strict=True)]


@given(gates(), st.data())
def test_price_matches_the_scalar_for_every_request(asked: Gates, data: st.DataObject) -> None:
    refused = faults_by_row(asked)
    priced = asked._replace(requests=[own for row, own in enumerate(asked.requests) if row not in refused])
    columns = data.draw(columns_of(priced.requests))

    found = gate_price(columns, catalogue=asked.catalogue, sold=asked.sold)

    assert listed(found) == [
        astuple(access.gate_price(own, catalogue=asked.catalogue, sold=asked.sold))[:3]
        for own in priced.requests
    ]


@given(gates(), st.data())
def test_requests_that_the_scalar_refuses_are_named(asked: Gates, data: st.DataObject) -> None:
    columns = data.draw(columns_of(asked.requests))
    refused = faults_by_row(asked)
    issues: tuple[Issue, ...] = ()

    refusals = refused_requests(columns, catalogue=asked.catalogue, sold=asked.sold)
    try:
        gate_price(columns, catalogue=asked.catalogue, sold=asked.sold)
    except InvalidAccessRequest as error:
        issues = error.issues

    assert {row: refusal.faults for refusal in refusals for row in refusal.rows.tolist()} == refused
    assert sum(len(refusal.rows) for refusal in refusals) == len(refused)
    assert all((np.diff(refusal.rows) > 0).all() for refusal in refusals)
    firsts = [int(refusal.rows[0]) for refusal in refusals]
    assert firsts == sorted(firsts)
    row = min(refused, default=0)
    assert issues == tuple(
        Issue((row, *place), f"row {row}: {message}", code) for place, message, code in refused.get(row, ())
    )
