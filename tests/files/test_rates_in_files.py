"""VAT rates in a file: a percentage, or an entry with a category."""

import pytest

from faregate.files import parse_catalogue
from faregate.tax.rates import VatCategory, VatRate
from support.files.samples import CATALOGUE, catalogue_faults, spoilt

RATE = "c:21: products[0].productVariants[0].vatRate"
EXEMPT = VatRate(parts_per_million=0, category=VatCategory.E, reason_code="VATEX-EU-I", reason="Museum")


@pytest.mark.parametrize(
    ("written", "rate"),
    [
        ('"8.1"', VatRate.percent("8.1")),
        ("{percent: 8.1}", VatRate.percent("8.1")),
        ("{percent: 8.1, category: S}", VatRate.percent("8.1")),
        ("{percent: 0, category: Z}", VatRate.percent(0)),
        ("{percent: 0, category: E, reason: Museum, reasonCode: VATEX-EU-I}", EXEMPT),
        ("{percent: 0, category: AE}", VatRate(parts_per_million=0, category=VatCategory.AE)),
    ],
)
def test_a_rate_is_read_with_its_category(written: str, rate: VatRate) -> None:
    catalogue = parse_catalogue(spoilt(CATALOGUE, "vatRate: 8.1", f"vatRate: {written}"))

    assert catalogue.products[0].variants[0].rate == rate


def test_a_single_purpose_voucher_names_the_category_of_its_goods() -> None:
    rate = "singlePurposeVatRate: {percent: 0, category: E, reason: Museum, reasonCode: VATEX-EU-I}"
    catalogue = parse_catalogue(spoilt(CATALOGUE, "balance: 100", f"balance: 100, faceValue: 100, {rate}"))

    assert catalogue.vouchers[0].single_purpose == EXEMPT


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("{percent: 0, category: X}", ".category: expected S, Z, E, AE, O, got 'X'"),
        ("{percent: 0, category: e}", ".category: expected S, Z, E, AE, O, got 'e'"),
        ("{percent: 0, category: S}", ": a rate of 0 % needs category Z, E, AE or O, got S"),
        ("{percent: 8.1, category: E}", ": a rate of 8.1 % needs category S, got E"),
        (
            "{percent: 0, reason: A}",
            ": a rate of category Z takes no reason, got 'A': give category E, AE or O, or",
        ),
        ("{percent: 0, resonCode: A}", ".resonCode: unknown key: did you mean 'reasonCode'?"),
        ("{percent: 0, category: E, reason: 1}", ".reason: expected text, got 1"),
        ("{category: E}", ".percent: is missing"),
        ("{percent: 101}", ".percent: expected 0 to 100 percent, got 101"),
        ("[8.1]", ": expected a percentage, got a list"),
    ],
)
def test_an_issue_of_a_rate_is_reported_with_its_location(written: str, fault: str) -> None:
    [found] = catalogue_faults(spoilt(CATALOGUE, "vatRate: 8.1", f"vatRate: {written}"))

    assert found.startswith(RATE + fault)
