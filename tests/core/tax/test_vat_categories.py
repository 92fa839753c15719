"""The VAT category of a rate, and the reason of a category without tax. Decisions §4."""

import pickle
from typing import Any

import pytest

from faregate.basket.lines import Line
from faregate.errors import InvalidOption, InvalidRate
from faregate.tax.rates import VatAmount, VatCategory, VatRate
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import UNTAXED, VAT

MUSEUM = VatRate(parts_per_million=0, category=VatCategory.E, reason="Museum")


@pytest.mark.parametrize(("rate", "category"), [(VAT, VatCategory.S), (UNTAXED, VatCategory.Z)])
def test_a_rate_is_standard_above_0_and_zero_rated_at_0(rate: VatRate, category: VatCategory) -> None:
    assert rate.category is category
    assert VatRate(parts_per_million=rate.parts_per_million, category=category) == rate


def test_a_category_may_be_given_as_text() -> None:
    assert VatRate(parts_per_million=0, category="E", reason="Museum") == MUSEUM  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="category is 'X', expected 'S', 'Z', 'E', 'AE' or 'O'"):
        VatRate(parts_per_million=0, category="X")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "fields", "message"),
    [
        (81_000, {"category": VatCategory.E}, "a rate of 8.1 % needs category S, got E"),
        (81_000, {"category": VatCategory.Z}, "a rate of 8.1 % needs category S, got Z"),
        (0, {"category": VatCategory.S}, "a rate of 0 % needs category Z, E, AE or O, got S"),
        (81_000, {"reason": "Museum"}, "a rate of category S takes no reason, got 'Museum'"),
        (0, {"reason_code": "VATEX-EU-O"}, "a rate of category Z takes no reason, got 'VATEX-EU-O'"),
        (0, {"reason": 3}, "reason is 3, expected a str"),
    ],
)
def test_a_category_fits_its_rate_and_a_reason_its_category(
    parts: int, fields: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidRate, match=message):
        VatRate(parts_per_million=parts, **fields)


def test_rates_with_another_category_or_reason_are_not_equal() -> None:
    coded = VatRate(parts_per_million=0, category=VatCategory.E, reason_code="VATEX-EU-132-1N")

    assert len({UNTAXED, MUSEUM, coded}) == 3
    assert len({hash(UNTAXED), hash(MUSEUM), hash(coded)}) == 1
    assert sorted([VAT, UNTAXED, MUSEUM, coded]) == [MUSEUM, coded, UNTAXED, VAT]
    assert pickle.loads(pickle.dumps(MUSEUM)) == MUSEUM


def test_a_rate_shows_its_category_only_if_the_number_does_not_imply_it() -> None:
    assert repr(VAT) == "VatRate(parts_per_million=81000)"
    assert repr(UNTAXED) == "VatRate(parts_per_million=0)"
    assert repr(MUSEUM) == "VatRate(parts_per_million=0, category='E', reason='Museum')"
    assert str(MUSEUM) == "0 %"
    coded = VatRate(parts_per_million=0, category=VatCategory.O, reason_code="VATEX-EU-O")
    assert repr(coded) == "VatRate(parts_per_million=0, category='O', reason_code='VATEX-EU-O')"


def test_categories_at_0_share_a_row_of_the_breakdown_of_a_checkout() -> None:
    lines = [Line(1, 5000, 1, MUSEUM), Line(2, 300, 1, UNTAXED), Line(3, 1081, 1, VAT)]

    assert checkout_totals(lines[::-1]).vat_breakdown == (
        VatAmount(MUSEUM, 5300, 0, 5300),
        VatAmount(VAT, 1000, 81, 1081),
    )
