"""Twin of donations: results of the scalar function per row, or its error for the first refused row."""

from hypothesis import given
from hypothesis import strategies as st

from faregate.amount_due import donation
from faregate.batch.amount_due.donation import donation_amount
from support.baskets.strategies import amounts, sized
from support.columns.numbers import by_column, by_row, column_of, numbers, sizes

# Few impossible rows, since one error ends a column.
_totals = st.sampled_from([amounts] * 4 + [numbers.map(abs)] * 4 + [numbers]).flatmap(lambda own: own)
_possible = st.integers(1, 12) | st.sampled_from([5, 100, 500]) | numbers.map(lambda step: max(abs(step), 1))
_steps = st.sampled_from([_possible] * 30 + [numbers]).flatmap(lambda own: own)
_rows = sized(st.tuples(_totals, _steps).filter(lambda row: max(row) < 2**63), sizes)


@given(_rows)
def test_donation_matches_the_scalar_in_every_row(rows: list[tuple[int, int]]) -> None:
    totals, steps = column_of([row[0] for row in rows]), column_of([row[1] for row in rows])

    found = by_column(lambda: donation_amount(totals, step=steps))

    assert found == by_row(len(rows), lambda row: donation.donation_amount(rows[row][0], step=rows[row][1]))
