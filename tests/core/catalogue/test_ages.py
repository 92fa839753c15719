"""Ages of persons, and the ages that a variant admits."""

from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from faregate.catalogue.ages import AgeRange, age_on
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Entries
from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM, asked_fields, missing_fields
from faregate.catalogue.products import Product
from faregate.checkout.changes import add_items
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import Checkout, CheckoutItem
from faregate.checkout.requirements import Customer, check_payable
from faregate.errors import InvalidCheckout, Issue, IssueCode
from faregate.subscriptions.rules import YearlyOn
from faregate.subscriptions.terms import SubscriptionTerms
from faregate.translations import Text
from support.shops.refused_catalogues import faults_of, unchecked
from support.shops.small_shop import (
    ADULT,
    DAY_TICKET,
    LUNCH,
    LUNCH_VOUCHER,
    NOW,
    RESORT,
    SEASON,
    SEASON_PASS,
    days,
)

CHILDREN = AgeRange(6, 15)
NAMED = {"firstName": "Ada", "lastName": "Byron"}


def for_children(product: Product, ages: AgeRange = CHILDREN, **fields: object) -> Product:
    """Return *product* with all variants for children."""
    variants = tuple(replace(variant, ages=ages) for variant in product.variants)
    return replace(product, variants=variants, **fields)  # type: ignore[arg-type]


def offering(product: Product) -> Entries:
    """Return the resort with *product* replacing the product of the same id."""
    products = [product if kept.id == product.id else kept for kept in RESORT.products]
    return replace(unchecked(RESORT), products=tuple(products))


def selling(product: Product) -> Catalogue:
    return Catalogue(**vars(offering(product)))


def refused(
    product: Product, item: CheckoutItem, born: object, *, at: datetime = NOW
) -> list[tuple[object, IssueCode, str]]:
    """Return the issues when a checkout with *item* is paid for a person *born* on that day."""
    customer = Customer({8: {**NAMED, "dateOfBirth": born} if born else NAMED})
    try:
        check_payable(Checkout("web", (item,)), customer, catalogue=selling(product), at=at)
    except InvalidCheckout as error:
        return [(fault.loc, fault.code, fault.message) for fault in error.issues]
    return []


@pytest.mark.parametrize(
    ("born", "day", "age"),
    [
        (date(2010, 12, 27), date(2026, 12, 26), 15),
        (date(2010, 12, 27), date(2026, 12, 27), 16),
        (date(2008, 2, 29), date(2026, 2, 28), 17),
        (date(2008, 2, 29), date(2026, 3, 1), 18),
        (date(2026, 12, 27), date(2026, 12, 27), 0),
    ],
)
def test_an_age_is_in_completed_years(born: date, day: date, age: int) -> None:
    assert age_on(day, born=born) == age


TICKET = CheckoutItem(1, ADULT, days("2026-12-27", "2026-12-28"), person=8)


@pytest.mark.parametrize(
    ("born", "is_admitted"),
    [
        ("2020-12-28", False),  # is 6 on the second day
        ("2020-12-27", True),
        ("2010-12-28", True),  # is 16 on the second day
        ("2010-12-27", False),
    ],
)
def test_the_age_on_the_first_day_of_a_validity_counts(born: str, is_admitted: bool) -> None:
    assert (refused(for_children(DAY_TICKET), TICKET, born) == []) == is_admitted


def test_the_first_day_is_in_the_time_zone_of_the_merchant() -> None:
    midnight = days("2026-12-27", "2026-12-27").start.astimezone(ZoneInfo("UTC"))  # the 26th there
    ticket = TICKET._replace(validity=days("2026-12-27", "2026-12-27")._replace(start=midnight))

    assert refused(for_children(DAY_TICKET), ticket, "2020-12-27") == []


def test_the_age_on_the_first_day_of_a_subscription_counts() -> None:
    season = for_children(SEASON, subscription=SubscriptionTerms(rule=YearlyOn(11, 1)))
    item = CheckoutItem(1, SEASON_PASS, person=8)

    assert refused(season, item, "2011-11-02") == []
    assert [code for _, code, _ in refused(season, item, "2011-11-01")] == [IssueCode.AGE_NOT_ADMITTED]


def test_without_a_validity_the_age_on_the_day_of_the_order_counts() -> None:
    item = CheckoutItem(1, LUNCH, person=8)

    assert refused(for_children(LUNCH_VOUCHER), item, "2010-12-22") == []
    assert refused(for_children(LUNCH_VOUCHER), item, "2010-12-21") != []


EXPLAINED = (
    "variant 101 (Adult) admits ages 6 to 15 on its first day 2026-12-27: choose another variant or person"
)


def test_a_refusal_names_the_variant_its_ages_and_the_day() -> None:
    assert refused(for_children(DAY_TICKET), TICKET, "1980-01-01") == [
        (
            ("items", 0, "person"),
            IssueCode.AGE_NOT_ADMITTED,
            EXPLAINED,
        )
    ]


def test_an_unreadable_date_of_birth_is_not_admitted() -> None:
    for born, shown in (("in spring", "in spring"), ("spring" * 7, f"{'spring' * 6}spri")):
        assert [message for *_, message in refused(for_children(DAY_TICKET), TICKET, born)] == [
            f"variant 101 (Adult) needs a date of birth, got '{shown}'"
        ]


def test_without_a_person_or_a_date_of_birth_no_age_is_checked() -> None:
    assert refused(for_children(DAY_TICKET), TICKET._replace(person=None), "1980-01-01") == []
    assert refused(for_children(DAY_TICKET), TICKET, None) == []
    assert refused(DAY_TICKET, TICKET, "1980-01-01") == []


def test_the_age_of_a_requested_person_is_checked_immediately() -> None:
    shop = selling(for_children(DAY_TICKET))
    sunday = ("2026-12-27", "2026-12-27")
    persons = {8: {"dateOfBirth": "1980-01-01"}, 9: {"dateOfBirth": "2015-01-01"}}
    requests = [
        ItemRequest(1, ADULT, sunday, person=9),
        ItemRequest(2, ADULT, sunday),
        ItemRequest(3, ADULT, person=8),  # without a validity there is no day
        ItemRequest(4, 999, sunday, person=8),
        ItemRequest(5, ADULT, sunday, person=8),
    ]

    with pytest.raises(InvalidCheckout) as raised:
        add_items(Checkout("web"), requests, catalogue=shop, at=NOW, persons=persons)

    assert [(fault.loc, fault.code) for fault in raised.value.issues] == [
        (("items", 2, "validity"), IssueCode.VALIDITY_REQUIRED),
        (("items", 3, "variant"), IssueCode.UNKNOWN_VARIANT),
        (("items", 4, "person"), IssueCode.AGE_NOT_ADMITTED),
    ]
    shop = selling(for_children(LUNCH_VOUCHER))
    with pytest.raises(InvalidCheckout, match="on its first day 2026-12-21"):  # that of the order
        add_items(Checkout("web"), [ItemRequest(1, LUNCH, person=8)], catalogue=shop, at=NOW, persons=persons)


BIRTH_TEXT = FormField(name="dateOfBirth", kind=FieldKind.TEXT, title=Text("Born"))
BIRTH_DATE = FormField(name="dateOfBirth", kind=FieldKind.DATE, title=Text("Born"))


def test_an_age_range_requires_a_date_of_birth_where_a_person_is_required() -> None:
    named = for_children(DAY_TICKET, requires_personalization=True)

    assert [(field.name, field.required) for field in asked_fields(named)] == [("dateOfBirth", True)]
    assert missing_fields(named, NAMED, base=DEFAULT_PERSON_FORM) == ("dateOfBirth",)
    assert asked_fields(for_children(DAY_TICKET)) == ()
    assert asked_fields(replace(DAY_TICKET, requires_personalization=True)) == ()


def test_a_product_may_word_its_own_date_of_birth_question() -> None:
    worded = for_children(DAY_TICKET, requires_personalization=True, person_fields=(BIRTH_DATE,))

    assert asked_fields(worded) == (replace(BIRTH_DATE, required=True),)
    assert faults_of(offering(worded)) == ()


def test_a_date_of_birth_question_of_kind_text_is_an_issue() -> None:
    faulty = offering(for_children(DAY_TICKET, requires_personalization=True, person_fields=(BIRTH_TEXT,)))

    assert faults_of(replace(faulty, person_form=())) == (
        Issue(
            ("products", 0, "requires_personalization"),
            "ages need a date of birth: 'dateOfBirth' already has kind text",
        ),
    )


@pytest.mark.parametrize(
    ("ages", "faults"),
    [
        (AgeRange(0, 150), []),
        (AgeRange(-1, 15), [("first", "expected 0 to 150, got -1")]),
        (AgeRange(65, 151), [("last", "expected 0 to 150, got 151")]),
        (AgeRange(16, 15), [("last", "15 is below the first age, 16")]),
    ],
)
def test_age_ranges_are_in_order_and_from_0_to_150(ages: AgeRange, faults: list[tuple[str, str]]) -> None:
    shop = offering(for_children(LUNCH_VOUCHER, ages))

    assert [(fault.loc[-2:], fault.message) for fault in faults_of(shop)] == [
        (("ages", field), message) for field, message in faults
    ]
