"""Forms about a person: the common questions and those that products add. Decisions §13."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.products import Product
from faregate.translations import Text

DATE_OF_BIRTH = "dateOfBirth"
"""Name of the question from which the age is computed."""

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
"""The questions about every person, unless the catalogue has a person form of its own."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A reason why no answer can satisfy two versions of a question, and the ``attribute`` that causes it."""

    attribute: str
    message: str


def missing_fields(
    product: Product, answers: Mapping[str, object], *, base: Sequence[FormField]
) -> tuple[str, ...]:
    """Return the names of the questions required by *base* or *product* that have no answer in *answers*.

    >>> from faregate.files import demo_catalogue
    >>> season_pass = demo_catalogue().product(21)
    >>> missing_fields(season_pass, {"firstName": "Ada"}, base=DEFAULT_PERSON_FORM)
    ('lastName', 'dateOfBirth')
    """
    asked = composed_fields(base, asked_fields(product))
    return tuple(field.name for field in asked if field.required and field.name not in answers)


def asked_fields(product: Product) -> tuple[FormField, ...]:
    """Return the questions that *product* asks about a person, with the birth date if it checks ages."""
    return composed_fields(product.person_fields, birth_fields(product))


def birth_fields(product: Product) -> tuple[FormField, ...]:
    """Return the required question for the date of birth if *product* checks ages, or an empty tuple."""
    has_ages = any(variant.ages is not None for variant in product.variants)
    return (replace(_BIRTH, required=True),) if has_ages and product.requires_personalization else ()


def composed_fields(*forms: Sequence[FormField]) -> tuple[FormField, ...]:
    """Merge the questions of all *forms*, using the first wording and the strictest rules for each.

    The forms do not contradict one another: a ``Catalogue`` rejects contradictions.
    """
    composed: dict[str, FormField] = {}
    for form in forms:
        for field in form:
            known = composed.get(field.name)
            composed[field.name] = field if known is None else stricter(known, field)
    return tuple(composed.values())


def contradiction(known: FormField, field: FormField) -> Contradiction | None:
    """Return the reason why no answer is valid for both questions, or None."""
    if known.kind is not field.kind:
        return Contradiction("kind", f"{field.name!r} already has kind {known.kind.value}")
    both = stricter(known, field)
    if both.minimum is not None and both.maximum is not None and both.minimum > both.maximum:
        return Contradiction("minimum", f"no number is also in the earlier range of {field.name!r}")
    if known.choices and field.choices and not both.choices:
        return Contradiction("choices", f"no choice in common with the earlier {field.name!r}")
    return None


def stricter(known: FormField, field: FormField) -> FormField:
    """Return *known* with the rules of both questions: required if either is, bounded by both."""
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
