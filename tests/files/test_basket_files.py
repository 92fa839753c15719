import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from faregate.checkout.model import Checkout, CheckoutConditions, CheckoutItem
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.promo_codes import RejectedCode
from faregate.errors import InvalidCatalogue, InvalidCheckout
from faregate.files import (
    Basket,
    FileFormat,
    demo_catalogue,
    load_basket,
    parse_basket,
    parse_catalogue,
)
from support.files.samples import BASKET, CATALOGUE, WEB, as_json, basket_faults, spoilt

ZURICH = ZoneInfo("Europe/Zurich")
EXAMPLE = Path(__file__).parents[2] / "examples" / "basket.json"
DEMO = demo_catalogue()
DATE_TIME = "2026-12-27T00:00:00+01:00"
SECOND = '"productVariantId": 411, "validity": null'
DAY = '{"from": "2026-12-27", "to": "2026-12-27"}'


def test_basket_becomes_a_checkout_and_the_instant_of_the_order() -> None:
    basket = parse_basket(BASKET, DEMO)

    day = Interval(datetime(2026, 12, 27, tzinfo=ZURICH), datetime(2026, 12, 28, tzinfo=ZURICH))
    assert basket == Basket(
        Checkout(
            channel=WEB,
            items=(CheckoutItem(1, 101, day), CheckoutItem(2, 411)),
            codes=("WINTER10",),
            conditions=CheckoutConditions(donation=200),
        ),
        datetime(2026, 12, 1, 9, 30, tzinfo=ZURICH),
        ZURICH,
    )


def test_every_key_of_an_item_is_read() -> None:
    said = (
        '"productVariantId": 511, "validity": {"from": "2026-12-27", "to": "2026-12-27"}, "parentItemId": 1, '
        '"discountCardTypeId": 2, "personId": 9, "originatedItemId": 1'
    )
    text = spoilt(
        spoilt(BASKET, SECOND, said),
        '"donation": 2.0',
        '"donation": "0.05", "accountId": 77, "customerGroups": ["staff"]',
    )
    checkout, _, _ = parse_basket(text, DEMO)

    day = Interval(datetime(2026, 12, 27, tzinfo=ZURICH), datetime(2026, 12, 28, tzinfo=ZURICH))
    assert checkout.items[1] == CheckoutItem(
        2, 511, day, parent=1, discount_card=2, person=9, originated_from=1
    )
    assert (checkout.donation, checkout.account) == (5, 77)
    assert checkout.customer_groups == {"staff"}


def test_everything_but_channel_and_instant_is_optional() -> None:
    text = f'{{"channel": "{WEB.upper()}", "orderedAt": "2026-07-01T10:00:00Z"}}'

    assert parse_basket(text, DEMO) == Basket(Checkout(WEB), datetime(2026, 7, 1, 12, tzinfo=ZURICH), ZURICH)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-12-26T23:00:00Z", "2026-12-27T23:00:00Z"),
        ("2026-12-27T00:00", "2026-12-27T23:59:59+01:00"),
    ],
)
def test_validity_is_read_in_every_form_in_the_zone_of_the_merchant(start: str, end: str) -> None:
    text = spoilt(BASKET, DAY, json.dumps({"from": start, "to": end}))
    item = parse_basket(text, DEMO).checkout.items[0]

    assert item.validity is not None
    assert [instant.isoformat() for instant in item.validity] == [
        *("2026-12-27T00:00:00+01:00", "2026-12-28T00:00:00+01:00"),
    ]


TWO_ZONES = spoilt(
    spoilt(CATALOGUE, "merchants:\n", "merchants:\n  - {identifier: cruise, timezone: America/Lima}\n"),
    "products:\n",
    """\
products:
  - id: 9
    slug: cruise
    identifier: CRUISE
    name: Cruise
    type: SERVICE
    category: 1
    merchant: cruise
    hasValidity: false
    productVariants: [{id: 99, name: Seat, vatRate: 0, prices: [{amount: 5}]}]
""",
)

CHANNEL_IN_TOKYO = spoilt(TWO_ZONES, "{uuid:", "{timezone: Asia/Tokyo, uuid:")


@pytest.mark.parametrize(
    ("catalogue", "keys", "zone", "hour"),
    [
        (CATALOGUE, "", ZURICH, 9),
        (CHANNEL_IN_TOKYO, "", ZoneInfo("Asia/Tokyo"), 17),
        (CHANNEL_IN_TOKYO, ', "timezone": "America/Lima"', ZoneInfo("America/Lima"), 3),
    ],
    ids=["its only merchant's", "the channel's", "its own"],
)
def test_order_is_dated_in_the_zone_of_the_basket_or_else_of_the_channel(
    catalogue: str, keys: str, zone: ZoneInfo, hour: int
) -> None:
    text = f'{{"channel": "{WEB}", "orderedAt": "2026-12-01T08:30:00Z"{keys}}}'

    basket = parse_basket(text, parse_catalogue(catalogue))

    assert (basket.zone, basket.ordered_at.hour) == (zone, hour)
    assert basket.ordered_at == datetime(2026, 12, 1, 8, 30, tzinfo=UTC)


def test_channel_of_merchants_in_several_zones_must_set_its_zone() -> None:
    with pytest.raises(InvalidCatalogue, match=r"its merchants are in America/Lima, Europe/Zurich: set"):
        parse_catalogue(TWO_ZONES)


FAULTS = [
    (WEB, WEB.replace("7", "8"), f"channel: there is no channel '{WEB.replace('7', '8')}'"),
    (WEB, "web", "channel: expected a UUID, got 'web'"),
    (f'"channel": "{WEB}",', "", "channel: is missing"),
    ("orderedAt", "orderAt", "orderAt: unknown key: did you mean 'orderedAt'?"),
    (
        "09:30:00+01:00",
        "09:30:00",
        f"orderedAt: 2026-12-01T09:30:00 has no UTC offset: write it as in {DATE_TIME}",
    ),
    ('"id": 2', '"id": 1', "items[1].id: 1 is used twice"),
    ('"id": 2', f'"id": {2**31}', f"items[1].id: expected at most {2**31 - 1}, got {2**31}"),
    ('"id": 2', '"id": 2, "id": 3', "items[1].id: duplicate key"),
    ("411", "999", "items[1].productVariantId: there is no product variant 999"),
    (SECOND, f'{SECOND}, "parentItemId": 7', "items[1].parentItemId: there is no other item 7"),
    (
        SECOND,
        f'{SECOND}, "discountCardTypeId": 7',
        "items[1].discountCardTypeId: there is no discount card 7",
    ),
    (DAY, '{"from": "2026-12-27"}', "items[0].validity.to: is missing"),
    (
        DAY,
        '{"from": "2026-12-27", "to": "2026-12-26"}',
        "items[0].validity: 2026-12-26 is not after 2026-12-27",
    ),
    ("2.0", "2.005", "donation: 2.005 has more decimals than CHF, which has 2"),
    ('"WINTER10"', '"A\\u001b[2J"', "codes[0]: expected printable text, got 'A\\x1b[2J'"),
]


@pytest.mark.parametrize(("piece", "instead", "fault"), FAULTS)
def test_issue_is_reported_with_its_location(piece: str, instead: str, fault: str) -> None:
    assert f"b: {fault}" in basket_faults(spoilt(BASKET, piece, instead))


def test_issues_of_a_yaml_basket_have_line_numbers() -> None:
    head = f"channel: {WEB}\norderedAt: 2026-12-01T09:30:00+01:00\n"
    text = head + "items:\n  - {id: 1, productVariantId: 998}\n"

    fault = "items[0].productVariantId: there is no product variant 998"
    assert basket_faults(text, FileFormat.YAML) == (f"b:4: {fault}",)


def test_basket_has_at_most_five_hundred_items() -> None:
    def basket(items: int) -> str:
        listed = [{"id": n, "productVariantId": 411} for n in range(1, items + 1)]
        return as_json({"channel": WEB, "orderedAt": "2026-12-01T09:30:00Z", "items": listed})

    assert len(parse_basket(basket(500), DEMO).checkout.items) == 500
    assert basket_faults(basket(501)) == ("b: items: expected at most 500 entries, got 501",)


def test_unknown_code_is_left_for_pricing_to_refuse() -> None:
    checkout, ordered_at, _ = parse_basket(spoilt(BASKET, "WINTER10", "no such code"), DEMO)
    priced = price_checkout(checkout, catalogue=DEMO, at=ordered_at)

    assert [(code.code, code.valid) for code in priced.totals.promo_codes] == [("NO SUCH CODE", False)]


def test_file_format_follows_from_the_file_extension(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(BASKET)
    (tmp_path / "b.yaml").write_text(BASKET)

    assert load_basket(tmp_path / "b.json", DEMO) == load_basket(str(tmp_path / "b.yaml"), DEMO)


def test_unreadable_file_is_reported_as_such(tmp_path: Path) -> None:
    with pytest.raises(InvalidCheckout, match="cannot be read: "):
        load_basket(tmp_path / "missing.json", DEMO)


@pytest.fixture(scope="module")
def example() -> PricedCheckout:
    checkout, ordered_at, _ = load_basket(EXAMPLE, DEMO)
    return price_checkout(checkout, catalogue=DEMO, at=ordered_at)


def test_list_prices_of_the_example_equal_those_of_the_catalogue(example: PricedCheckout) -> None:
    amounts = {
        (variant.id, price.discount_card, str(price.duration)): price.amount
        for product in DEMO.products
        for variant in product.variants
        for price in variant.prices
    }

    assert {item.key: item.list_price_gross for item in example.items} == {
        1: amounts[101, None, "None"],
        2: amounts[101, 1, "None"],
        3: amounts[103, None, "None"],
        4: amounts[121, None, "P3D"],
        5: amounts[511, None, "P3D"],
        6: amounts[911, None, "None"],
        7: amounts[411, None, "None"],
        8: amounts[412, None, "None"],
    }


def test_example_has_discounts_codes_and_vouchers(example: PricedCheckout) -> None:
    totals = example.totals
    applied, refused = totals.promo_codes

    assert {discount.discount.id for discount in totals.auto_discounts} >= {1, 2}
    assert (applied.code, applied.valid) == ("WINTER10", True)
    assert applied.total_amount == totals.promo_code_discount > 0
    assert isinstance(refused, RejectedCode)
    assert refused.reason is RejectionReason.MINIMUM_NOT_REACHED
    assert refused.missing is not None
    assert 0 < refused.missing.spend < 5000
    assert totals.donation == 200
    assert totals.vouchers[0].amount == 10_000
    assert totals.amount_due == totals.total_gross - 10_000 > 0
