from unittest.mock import Mock

import pytest

from faregate.catalogue import catalogue
from faregate.catalogue.checks.references import catalogue_issues
from faregate.files import parse_catalogue
from support.files.samples import CATALOGUE, catalogue_faults, spoilt

AUTO = "29: autoDiscounts[0]"

REFERENCES = [
    (
        "media: [1]",
        "subscription: {renewal: monthly, firstPeriod: free}",
        (
            "17: products[0].subscription: first period 'free' needs a rule with a given day, such as "
            "MonthlyOn(1): monthly counts from the order and has no days before its first period"
        ),
    ),
    (
        "name: Keycard}",
        "name: Keycard, priceComponents: [{productVariant: 9, price: 5, intent: DEPOSIT}]}",
        "25: media[0].priceComponents[0].productVariant: there is no variant 9",
    ),
    (
        "percent: 8}",
        "percent: 8}, scope: {productVariants: [9]}",
        f"{AUTO}.scope.productVariants: there is no variant 9",
    ),
    (
        "type: WEB}",
        f"type: WEB,\n    keys: [{{name: till, sha256: {'e' * 64}}}]}}",
        "28: channels[0].keys: not allowed on a public channel: set access to 'protected'",
    ),
]


@pytest.mark.parametrize(("piece", "instead", "fault"), REFERENCES)
def test_contradiction_is_reported_with_line_location_and_reason(
    piece: str, instead: str, fault: str
) -> None:
    assert catalogue_faults(spoilt(CATALOGUE, piece, instead)) == (f"c:{fault}",)


def test_all_issues_are_reported_together_and_checked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = Mock(wraps=catalogue_issues)
    monkeypatch.setattr(catalogue, "catalogue_issues", check)
    code = "{id: 1, code: A, displayName: A, discount: {discountType: PERCENTAGE, percent: 5}}"
    twice = spoilt(CATALOGUE, "promoCodes:", f"promoCodes:\n  - {code}")

    faults = catalogue_faults(spoilt(twice, "category: 1", "category: 9"))

    assert faults == (
        "c:14: products[0].category: there is no category 9",
        "c:32: promoCodes[1].id: 1 is used twice",
    )
    check.assert_called_once()


EURO_CHANNEL = """\
channels:
  - {uuid: 00000000-0000-0000-0000-000000000001, name: Euro, type: POS, currency: EUR}
"""


def test_amount_must_not_reach_a_channel_in_another_currency() -> None:
    faults = catalogue_faults(spoilt(CATALOGUE, "channels:\n", EURO_CHANNEL))

    channel = "channel 00000000-0000-0000-0000-000000000001 sells in EUR"
    limit = "limit it by conditions.channels"
    assert faults == (
        f"c:32: promoCodes[0]: has amounts in CHF, but {channel}: {limit}",
        f"c:39: vouchers[0].balance: is in CHF, but {channel}",
    )


def test_price_of_a_medium_must_be_in_the_currency_of_its_variant() -> None:
    text = spoilt(CATALOGUE, "identifier: lifts, ", "identifier: lifts, currency: EUR, ")
    text = spoilt(text, "type: TICKET", "type: FEE")
    component = "[{productVariant: 101, price: 5, intent: SENDING_FEE}]"
    text = spoilt(text, "name: Keycard}", f"name: Keycard, priceComponents: {component}}}")

    fault = "media[0].priceComponents[0].price: is in CHF, but product variant 101 is sold in EUR"
    assert catalogue_faults(text) == (f"c:25: {fault}",)


FERRY_FEES = """\
products:
  - id: 92
    slug: ferry-fees
    identifier: FEES
    name: Fees
    type: FEE
    category: 1
    merchant: ferry
    productVariants: [{id: 921, name: Storm, vatRate: 10, prices: [{amount: 3}]}]
"""


@pytest.mark.parametrize(("currency", "faults"), [("CHF", 0), ("JPY", 1)])
def test_weather_guarantee_must_be_in_the_currency_of_its_variant(currency: str, faults: int) -> None:
    ferry = f"  - {{identifier: ferry, timezone: Europe/Zurich, currency: {currency}}}\ncategories:\n"
    text = spoilt(spoilt(CATALOGUE, "products:\n", FERRY_FEES), "categories:\n", ferry)
    text = spoilt(text, "media: [1]", "weatherGuarantee: [{productVariant: 921, price: 5.05}]")

    if faults:
        fault = "products[1].weatherGuarantee[0].price: is in CHF, but product variant 921 is sold in JPY"
        assert catalogue_faults(text) == (f"c:26: {fault}",)
    else:
        assert parse_catalogue(text).products[1].supports_weather_guarantee


def test_weather_guarantee_is_read_in_the_currency_of_its_merchant() -> None:
    text = spoilt(CATALOGUE, "identifier: lifts, ", "identifier: lifts, currency: JPY, ")
    text = spoilt(text, "media: [1]", "weatherGuarantee: [{productVariant: 921, price: 5.05}]")

    fault = "products[0].weatherGuarantee[0].price: 5.05 has more decimals than JPY, which has 0"
    assert f"c:17: {fault}" in catalogue_faults(text)


def test_cash_increment_is_read_in_the_currency_of_its_channel() -> None:
    text = spoilt(CATALOGUE, "type: WEB}", "type: WEB, currency: JPY, policy: {cashIncrement: 0.5}}")

    fault = "channels[0].policy.cashIncrement: 0.5 has more decimals than JPY, which has 0"
    assert catalogue_faults(text) == (f"c:27: {fault}",)
