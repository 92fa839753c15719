"""Faults of questions in the forms of channels and products."""

from dataclasses import replace

import pytest

from faregate.catalogue.entries import Entries
from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.errors import Issue
from faregate.translations import Text
from support.shops.refused_catalogues import ENTRIES, faults_of, said, with_desk, with_ticket
from support.shops.small_shop import DESK, WEB


def with_form(*form: FormField) -> Entries:
    """Return the shop with the questions *form* on its ticket desk channel."""
    return with_desk(form=form)


def with_person_fields(*form: FormField) -> Entries:
    return with_ticket(person_fields=form)


def question(name: str = "age", kind: FieldKind = FieldKind.TEXT) -> FormField:
    return FormField(name=name, kind=kind, title=Text("A question"))


A, B = Choice("a", Text("A")), Choice("b", Text("B"))
SOUND_QUESTIONS = [
    *(question(kind=kind) for kind in FieldKind if kind is not FieldKind.CHOICE),
    replace(question(), max_length=1),
    replace(question(kind=FieldKind.INTEGER), minimum=0, maximum=0),
    replace(question(kind=FieldKind.INTEGER), minimum=-5),
    replace(question(kind=FieldKind.INTEGER), maximum=-5),
    replace(question(kind=FieldKind.CHOICE), choices=(A,)),
    replace(question(kind=FieldKind.CHOICE), choices=(A, B)),
]
ODD_QUESTIONS = [
    (replace(question(), max_length=0), "max_length: expected at least 1, got 0"),
    (replace(question(), minimum=0), "minimum: not allowed for kind text"),
    (replace(question(), maximum=0), "maximum: not allowed for kind text"),
    (replace(question(), choices=(A,)), "choices: not allowed for kind text"),
    (replace(question(kind=FieldKind.INTEGER), max_length=3), "max_length: not allowed for kind integer"),
    (replace(question(kind=FieldKind.INTEGER), minimum=2, maximum=1), "maximum: 1 is below the minimum 2"),
    (
        replace(question(kind=FieldKind.CHOICE), choices=(A,), minimum=1),
        "minimum: not allowed for kind choice",
    ),
    (question(kind=FieldKind.CHOICE), "choices: expected at least one"),
    (replace(question(kind=FieldKind.CHOICE), choices=(A, B, A)), "choices[2].value: 'a' is used twice"),
    *(
        (replace(question(kind=kind), max_length=3), f"max_length: not allowed for kind {kind.value}")
        for kind in (FieldKind.BOOLEAN, FieldKind.DATE, FieldKind.EMAIL)
    ),
]


@pytest.mark.parametrize("field", SOUND_QUESTIONS, ids=str)
def test_a_question_that_can_be_answered_has_no_issues(field: FormField) -> None:
    assert faults_of(with_form(field)) == ()
    assert faults_of(with_person_fields(field)) == ()


@pytest.mark.parametrize(("field", "fault"), ODD_QUESTIONS)
def test_invalid_questions_are_reported_in_every_form(field: FormField, fault: str) -> None:
    first = question("first")

    assert said(with_form(first, field)) == [f"channels[1].form[1].{fault}"]
    assert said(with_person_fields(first, field)) == [f"products[0].person_fields[1].{fault}"]


def test_every_issue_of_a_question_is_reported() -> None:
    field = replace(question(kind=FieldKind.DATE), max_length=-1, minimum=2, maximum=1, choices=(A,))

    faults = faults_of(with_form(field))

    assert [fault.loc[-1] for fault in faults] == ["max_length", "minimum", "maximum", "choices"]


def test_a_form_asks_each_question_once() -> None:
    twice = question(), question("name"), question(kind=FieldKind.DATE)

    assert faults_of(with_form(*twice)) == (Issue(("channels", 1, "form", 2, "name"), "'age' is used twice"),)
    assert faults_of(with_person_fields(*twice)) == (
        Issue(("products", 0, "person_fields", 2, "name"), "'age' is used twice"),
    )


def test_two_forms_may_ask_the_same_question() -> None:
    channels = (replace(WEB, form=(question(),)), replace(DESK, form=(question(),)))

    assert faults_of(replace(ENTRIES, channels=channels)) == ()


@pytest.mark.parametrize(
    "name", ["donation", "billingAddress", "shippingAddress", "weatherGuarantee", "acceptTerms", "media"]
)
def test_a_channel_must_not_repeat_a_built_in_question(name: str) -> None:
    place = ("channels", 1, "form", 0, "name")

    assert faults_of(with_form(question(name))) == (Issue(place, f"{name!r} is a built-in question"),)
    assert faults_of(with_person_fields(question(name))) == ()
