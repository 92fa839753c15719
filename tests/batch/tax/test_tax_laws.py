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


@given(sized(numbers, st.integers(1, 7)), vat_rates, rounding_modes, _ties)
def test_one_rate_applies_to_a_whole_column(
    values: list[int], rate: VatRate, mode: RoundingMode, tie: Tie
) -> None:
    column, parts = column_of(values), rate.parts_per_million
    of_each = column_of([parts] * len(values))

    net = by_column(lambda: net_from_gross(column, of_each, mode=mode, tie=tie))
    gross = by_column(lambda: gross_from_net(column, of_each, mode=mode))

    for one in (rate, parts):
        assert by_column(lambda: net_from_gross(column, one, mode=mode, tie=tie)) == net  # noqa: B023
        assert by_column(lambda: gross_from_net(column, one, mode=mode)) == gross  # noqa: B023
