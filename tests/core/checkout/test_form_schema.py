"""The form of a checkout as JSON Schema: built-in questions, questions of the channel, and their texts."""

from dataclasses import replace
from typing import Any

import pytest

from faregate.catalogue.channels import Channel, ChannelType
from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.catalogue.presentation.form_schema import checkout_form_schema
from faregate.translations import LANGUAGES, Text

QUESTIONS = (
    FormField(name="note", kind=FieldKind.TEXT, title=Text("Note", fr="Remarque"), max_length=5),
    FormField(
        name="remark", kind=FieldKind.TEXT, title=Text("Remark"), description=Text("If any", de="Falls")
    ),
    FormField(name="seats", kind=FieldKind.INTEGER, title=Text("Seats"), minimum=-2, required=True),
    FormField(name="window", kind=FieldKind.BOOLEAN, title=Text("Window")),
    FormField(name="day", kind=FieldKind.DATE, title=Text("Day")),
    FormField(name="email", kind=FieldKind.EMAIL, title=Text("E-mail")),
    FormField(
        name="class",
        kind=FieldKind.CHOICE,
        title=Text("Class"),
        choices=(Choice("1", Text("First", fr="Première")), Choice("2", Text("Second"))),
    ),
)
FERRY = Channel(uuid="ferry", name="Ferry", type=ChannelType.WEB, currency="JPY", form=QUESTIONS)


def question(name: str, *, language: str = "en", channel: Channel = FERRY) -> Any:
    """Return the schema of the question *name*."""
    return checkout_form_schema(channel, language)["properties"][name]


def test_the_questions_of_the_channel_follow_those_of_every_checkout() -> None:
    own = ["donation", "billingAddress", "shippingAddress", "weatherGuarantee", "acceptTerms", "media"]

    assert list(checkout_form_schema(FERRY, "en")["properties"]) == [*own, *(q.name for q in QUESTIONS)]


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("seats", {"title": "Seats", "type": "integer", "minimum": -2, "maximum": 2**53}),
        ("day", {"title": "Day", "type": "string", "format": "date", "maxLength": 10}),
    ],
)
def test_a_question_has_the_type_and_bounds_of_its_field(name: str, schema: object) -> None:
    assert question(name) == schema


def test_a_text_has_the_length_of_its_question_or_200_characters() -> None:
    assert [question(name)["maxLength"] for name in ("note", "remark", "email")] == [5, 200, 200]


def test_a_choice_is_shown_with_its_label() -> None:
    assert question("class", language="fr") == {
        "title": "Class",
        "type": "string",
        "oneOf": [{"const": "1", "title": "Première"}, {"const": "2", "title": "Second"}],
    }


def test_required_answers_are_published() -> None:
    strict = replace(FERRY, requires_terms=True)

    assert checkout_form_schema(FERRY, "en")["required"] == ["seats"]
    assert checkout_form_schema(strict, "en")["required"] == ["acceptTerms", "seats"]


@pytest.mark.parametrize(("currency", "decimals", "most"), [("JPY", 0, 10**12), ("KWD", 3, 10**9)])
def test_a_donation_has_the_decimals_of_its_currency(currency: str, decimals: int, most: int) -> None:
    donation = question("donation", channel=replace(FERRY, currency=currency))

    assert donation["x-decimals"] == decimals
    assert donation["maximum"] == most


def test_only_the_wording_differs_between_languages() -> None:
    def without_words(schema: Any) -> Any:
        if isinstance(schema, dict):
            return {
                name: without_words(part)
                for name, part in schema.items()
                if not (name in {"title", "description"} and isinstance(part, str))
            }
        return [without_words(part) for part in schema] if isinstance(schema, list) else schema

    shapes = [without_words(checkout_form_schema(FERRY, language)) for language in LANGUAGES]

    assert all(shape == shapes[0] for shape in shapes)
    assert question("remark", language="de")["description"] == "Falls"
