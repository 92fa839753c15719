"""Promo codes from a source of one's own, such as a table of generated codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate import Line, Percentage, PromoCode, UnknownCode, VatRate, checkout_totals
from faregate.discounts import PromoCodes, find_codes
from faregate.errors import InvalidDiscount

TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
FIVE = PromoCode(code="FIVE", kind=Percentage.percent(5))


@dataclass
class Table:
    """A source that returns *rows*, and remembers what it was asked for."""

    rows: object = (TEN, FIVE)
    asked: list[list[str]] = field(default_factory=list)

    def find(self, codes: Sequence[str], /) -> Sequence[PromoCode]:
        """Return the rows of these codes, or what is not a list of codes."""
        self.asked.append([*codes])
        if not isinstance(self.rows, tuple):
            return self.rows  # type: ignore[return-value]
        return [row for row in self.rows if getattr(row, "code", None) in {*codes, None}]


def test_entered_codes_are_looked_up_at_once_and_priced() -> None:
    table: PromoCodes = Table()

    codes = find_codes([" ten ", "nothing such", "TEN", "five"], table)

    assert codes == (TEN, UnknownCode("NOTHING SUCH"), FIVE)
    assert checkout_totals([Line(1, 1000, 1, VatRate.percent(0))], promo_codes=codes).total_gross == 855


@given(st.lists(st.sampled_from(["ten", "FIVE", " Five", "six", ""]) | st.text(max_size=3)))
def test_codes_are_found_as_in_a_list_of_all_codes(entered: list[str]) -> None:
    known = {code.code: code for code in (TEN, FIVE)}
    codes = [UnknownCode(text).code for text in entered]

    expected = tuple([known.get(code) or UnknownCode(code) for code in dict.fromkeys(codes)])

    assert find_codes(entered, Table()) == expected


@pytest.mark.parametrize("entered", [[], [""], [" \t"], ["TEN\0"], ["\ud800"]])
def test_a_source_is_not_queried_for_text_that_cannot_be_a_code(entered: list[str]) -> None:
    table = Table()

    assert not any(isinstance(code, PromoCode) for code in find_codes(entered, table))
    assert table.asked == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (None, "promo codes is None, expected a list: write [] for none"),
        ({"TEN": TEN}, "promo codes is a dict, expected a list: write [dict(...)] for a single value"),
        (({"code": "TEN"},), "promo codes contains {'code': 'TEN'}, expected PromoCode"),
        ((TEN, TEN), "find returned 'TEN', expected each of ['TEN', 'SIX'] at most once"),
        ([FIVE], "find returned 'FIVE', expected each of ['TEN', 'SIX'] at most once"),
    ],
)
def test_a_source_that_returns_something_else_is_refused(rows: object, message: str) -> None:
    with pytest.raises(InvalidDiscount) as refused:
        find_codes(["ten", "six"], Table(rows))

    assert str(refused.value) == message
