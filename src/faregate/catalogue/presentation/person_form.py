"""What is asked of a person: the form that all have, and what products ask beside it. Decisions §13."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.translations import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from faregate.catalogue.products import Product

DATE_OF_BIRTH = "dateOfBirth"
"""The question whose answer tells the age of a person."""

_BIRTH = FormField(
    name=DATE_OF_BIRTH,
    kind=FieldKind.DATE,
    title=Text("Date of birth", de="Geburtsdatum", fr="Date de naissance", it="Data di nascita"),
)

DEFAULT_PERSON_FORM = (
    FormField(
        name="firstName",
        kind=FieldKind.TEXT,
        title=Text("First name", de="Vorname", fr="Prénom", it="Nome"),
        required=True,
    ),
    FormField(
        name="lastName",
        kind=FieldKind.TEXT,
        title=Text("Last name", de="Nachname", fr="Nom", it="Cognome"),
        required=True,
    ),
    _BIRTH,
)
"""What is asked of every person where a catalogue says nothing of it."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Why no answer fits a question as two ask it: the ``attribute`` in which they differ, and how."""

    attribute: str
    message: str


def missing_fields(
    product: Product, answers: Mapping[str, object], *, base: Sequence[FormField]
) -> tuple[str, ...]:
    """The names of what *base* and *product* require and a person has not answered.

    >>> from faregate.files import demo_catalogue
    >>> season_pass = demo_catalogue().product(21)
    >>> missing_fields(season_pass, {"firstName": "Ada"}, base=DEFAULT_PERSON_FORM)
    ('lastName', 'dateOfBirth')
    """
    asked = composed_fields(base, asked_fields(product))
    return tuple(field.name for field in asked if field.required and field.name not in answers)


def asked_fields(product: Product) -> tuple[FormField, ...]:
    """Return the questions that *product* asks of a person: its own, and what its ages need."""
    return composed_fields(product.person_fields, birth_fields(product))


def birth_fields(product: Product) -> tuple[FormField, ...]:
    """Return the question for the date of birth, which is required where a person's age is to be checked."""
    has_ages = any(variant.ages is not None for variant in product.variants)
    return (replace(_BIRTH, required=True),) if has_ages and product.requires_personalization else ()


def composed_fields(*forms: Sequence[FormField]) -> tuple[FormField, ...]:
    """The questions of all *forms*, each once, as strict as the strictest; worded as where it is asked first.

    They do not contradict one another: a ``Catalogue`` refuses that.
    """
    composed: dict[str, FormField] = {}
    for form in forms:
        for field in form:
            known = composed.get(field.name)
            composed[field.name] = field if known is None else stricter(known, field)
    return tuple(composed.values())


def contradiction(known: FormField, field: FormField) -> Contradiction | None:
    """Why no answer could fit both; None: one can."""
    if known.kind is not field.kind:
        return Contradiction("kind", f"{field.name!r} is asked as {known.kind.value} before")
    both = stricter(known, field)
    if both.minimum is not None and both.maximum is not None and both.minimum > both.maximum:
        return Contradiction("minimum", f"no number is within what {field.name!r} is asked as before")
    if known.choices and field.choices and not both.choices:
        return Contradiction("choices", f"none of them is one of {field.name!r} as it is asked before")
    return None


def stricter(known: FormField, field: FormField) -> FormField:
    """The question of both, worded like *known*: required if one is, and bounded by both."""
    others = {choice.value for choice in field.choices}
    return replace(
        known,
        required=known.required or field.required,
        max_length=min(_given(known.max_length, field.max_length), default=None),
        minimum=max(_given(known.minimum, field.minimum), default=None),
        maximum=min(_given(known.maximum, field.maximum), default=None),
        choices=tuple(choice for choice in known.choices if choice.value in others),
    )


def _given(*bounds: int | None) -> list[int]:
    return [bound for bound in bounds if bound is not None]
