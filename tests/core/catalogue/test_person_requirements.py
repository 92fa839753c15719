"""Questions about a person, and the merging of forms."""

from dataclasses import replace

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Entries
from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.catalogue.presentation.person_form import (
    DEFAULT_PERSON_FORM,
    Contradiction,
    composed_fields,
    contradiction,
    missing_fields,
    stricter,
)
from faregate.errors import Issue
from faregate.translations import Text
from support.shops.refused_catalogues import ENTRIES, faults_of
from support.shops.small_shop import DAY_TICKET, SHOP

A, B, C = Choice("a", Text("A")), Choice("b", Text("B")), Choice("c", Text("C"))


def question(name: str = "size", kind: FieldKind = FieldKind.INTEGER, **fields: object) -> FormField:
    return replace(FormField(name=name, kind=kind, title=Text("A question")), **fields)  # type: ignore[arg-type]


def choice(*choices: Choice) -> FormField:
    return question(kind=FieldKind.CHOICE, choices=choices)


NAME = question("name", FieldKind.TEXT, required=True)
AGE = question("age", required=True)
HOBBY = question("hobby", FieldKind.TEXT)


@pytest.mark.parametrize(
    ("answers", "missing"),
    [
        ({}, ("name", "age")),
        ({"name": "Ada"}, ("age",)),
        ({"name": "Ada", "age": 0}, ()),
        ({"hobby": "engines", "other": 1}, ("name", "age")),
    ],
)
def test_required_fields_without_an_answer_are_missing(
    answers: dict[str, object], missing: tuple[str, ...]
) -> None:
    product = replace(DAY_TICKET, person_fields=(AGE, HOBBY))

    assert missing_fields(product, answers, base=(NAME, HOBBY)) == missing


def test_a_field_that_either_form_requires_is_missing_once() -> None:
    product = replace(
        DAY_TICKET, person_fields=(replace(NAME, required=False), replace(HOBBY, required=True))
    )

    assert missing_fields(product, {}, base=(NAME, HOBBY)) == ("name", "hobby")


def test_the_default_person_form_requires_a_name() -> None:
    assert Catalogue().person_form == DEFAULT_PERSON_FORM
    assert [(field.name, field.required) for field in DEFAULT_PERSON_FORM] == [
        ("firstName", True),
        ("lastName", True),
        ("dateOfBirth", False),
    ]


def test_composed_forms_keep_their_order_and_ask_each_question_once() -> None:
    first, second = (NAME, HOBBY), (AGE, HOBBY, question("height"))

    assert [field.name for field in composed_fields(first, second)] == ["name", "hobby", "age", "height"]
    assert composed_fields() == ()


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (question(required=True), question(), question(required=True)),
        (question(minimum=1), question(minimum=3), question(minimum=3)),
        (question(maximum=9), question(maximum=7), question(maximum=7)),
        (question(minimum=1), question(maximum=7), question(minimum=1, maximum=7)),
    ],
)
def test_the_stricter_of_two_questions_applies(one: FormField, other: FormField, both: FormField) -> None:
    assert contradiction(one, other) is None
    assert stricter(one, other) == both
    assert composed_fields((one,), (other,)) == (both,)


def test_the_first_wording_of_a_question_is_kept() -> None:
    worded = replace(question(), title=Text("In other words"), description=Text("At length."))

    assert stricter(worded, question()) == worded
    assert stricter(question(), worded) == question()


@pytest.mark.parametrize(
    ("known", "field", "expected"),
    [
        (
            question(),
            question(kind=FieldKind.TEXT),
            Contradiction("kind", "'size' already has kind integer"),
        ),
        (
            question(minimum=5),
            question(maximum=4),
            Contradiction("minimum", "no number is also in the earlier range of 'size'"),
        ),
        (
            choice(A, B),
            choice(C),
            Contradiction("choices", "no choice in common with the earlier 'size'"),
        ),
        (question(minimum=5), question(maximum=5), None),
        (choice(A, B), choice(B, C), None),
    ],
)
def test_questions_that_no_answer_satisfies_are_a_contradiction(
    known: FormField, field: FormField, expected: Contradiction | None
) -> None:
    assert contradiction(known, field) == expected


def shop_asking(*forms: tuple[FormField, ...], base: tuple[FormField, ...] = ()) -> Entries:
    """Return the shop with the questions *forms* on its first products."""
    asking = [
        replace(product, person_fields=form) for product, form in zip(SHOP.products, forms, strict=False)
    ]
    return replace(ENTRIES, products=(*asking, *SHOP.products[len(asking) :]), person_form=base)


def test_products_may_ask_the_same_question_in_compatible_ways() -> None:
    catalogue = shop_asking((question(minimum=1),), (question(maximum=9),), base=(question(),))

    assert faults_of(catalogue) == ()


def test_a_product_must_not_contradict_the_person_form() -> None:
    catalogue = shop_asking((HOBBY, question(kind=FieldKind.DATE)), base=(question(),))

    assert faults_of(catalogue) == (
        Issue(("products", 0, "person_fields", 1, "kind"), "'size' already has kind integer"),
    )


def test_the_questions_of_all_products_must_be_answerable_together() -> None:
    catalogue = shop_asking((choice(A, B),), (choice(B, C),), (choice(A, C),))

    assert faults_of(catalogue) == (
        Issue(
            ("products", 2, "person_fields", 0, "choices"),
            "no choice in common with the earlier 'size'",
        ),
    )


def test_a_contradicting_question_does_not_affect_the_next_product() -> None:
    catalogue = shop_asking((question(minimum=5),), (question(maximum=4),), (question(maximum=6),))

    assert [fault.loc[:2] for fault in faults_of(catalogue)] == [("products", 1)]


def test_the_person_form_is_checked_like_any_other() -> None:
    catalogue = shop_asking(base=(question(), question(), question("b", FieldKind.CHOICE)))

    assert faults_of(catalogue) == (
        Issue(("person_form", 1, "name"), "'size' is used twice"),
        Issue(("person_form", 2, "choices"), "expected at least one"),
    )
