"""Twins of tax: results of the scalar function per row, or its error for the first refused row."""

from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.money.rounding import fitting
from faregate.batch.tax.net_gross import gross_from_net, net_from_gross
from faregate.money.rounding import RoundingMode
from faregate.tax import rates as tax
from faregate.tax.rates import Tie, VatRate
from support.baskets.strategies import members, rounding_modes, sized, vat_rates
from support.columns.numbers import anything, by_column, by_row, column_of, numbers, sizes

# Few impossible rows, since one error ends a column.
_possible = vat_rates.map(lambda rate: rate.parts_per_million)
_impossible = st.sampled_from([-1, 1_000_001]) | anything
_parts = st.sampled_from([_possible] * 30 + [_impossible]).flatmap(lambda own: own)
_rows = sized(st.tuples(numbers, _parts), sizes)
_ties = members(Tie)


@given(_rows, rounding_modes, _ties)
def test_net_matches_the_scalar_in_every_row(
    rows: list[tuple[int, int]], mode: RoundingMode, tie: Tie
) -> None:
    gross, rates = column_of([row[0] for row in rows]), column_of([row[1] for row in rows])

    found = by_column(lambda: net_from_gross(gross, rates, mode=mode, tie=tie))

    assert found == by_row(
        len(rows),
        lambda row: tax.net_from_gross(
            rows[row][0], VatRate(parts_per_million=rows[row][1]), mode=mode, tie=tie
        ),
    )


@given(_rows, rounding_modes)
def test_gross_matches_the_scalar_in_every_row(rows: list[tuple[int, int]], mode: RoundingMode) -> None:
    net, rates = column_of([row[0] for row in rows]), column_of([row[1] for row in rows])

    found = by_column(lambda: gross_from_net(net, rates, mode=mode))

    assert found == by_row(
        len(rows),
        lambda row: fitting(
            tax.gross_from_net(rows[row][0], VatRate(parts_per_million=rows[row][1]), mode=mode)
        ),
    )
