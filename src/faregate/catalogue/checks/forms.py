"""Checks of forms: the questions of a checkout and the questions about each person."""

from collections.abc import Iterator

from faregate.catalogue.channels import Channel
from faregate.catalogue.checks.parts import Parts, repeated_in
from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.presentation.person_form import birth_fields, contradiction, stricter
from faregate.catalogue.products import Product
from faregate.errors import Issue, Loc

# The questions of every checkout, which no channel may repeat. Decisions §11.5.
_BUILT_IN_QUESTIONS = frozenset(
    {"donation", "billingAddress", "shippingAddress", "weatherGuarantee", "acceptTerms", "media"}
)
_KIND_OF_ATTRIBUTE = {
    "max_length": FieldKind.TEXT,
    "minimum": FieldKind.INTEGER,
    "maximum": FieldKind.INTEGER,
    "choices": FieldKind.CHOICE,
}


def form_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for questions that have no valid answer, are repeated, or contradict one another."""
    yield from _odd_form(("person_form",), parts.catalogue.person_form)
    yield from _contradictory_forms(parts)
    for loc, product in parts.of(Product):
        yield from _odd_form((*loc, "person_fields"), product.person_fields)
    for loc, channel in parts.of(Channel):
        yield from _odd_form((*loc, "form"), channel.form)
        for n, field in enumerate(channel.form):
            if field.name in _BUILT_IN_QUESTIONS:
                yield Issue((*loc, "form", n, "name"), f"{field.name!r} is a built-in question")


def _contradictory_forms(parts: Parts) -> Iterator[Issue]:
    """Yield issues for product questions that contradict the common form or another product's questions."""
    known = {field.name: field for field in parts.catalogue.person_form}
    for loc, product in parts.of(Product):
        before = known.copy()
        for m, field in enumerate(product.person_fields):
            asked = before.get(field.name)
            found = asked and contradiction(asked, field)
            if found:
                yield Issue((*loc, "person_fields", m, found.attribute), found.message)
            else:
                known[field.name] = stricter(asked or field, field)
        for field in birth_fields(product):
            found = contradiction(known.setdefault(field.name, field), field)
            if found:
                yield Issue((*loc, "requires_personalization"), f"ages need a date of birth: {found.message}")


def _odd_form(loc: Loc, form: tuple[FormField, ...]) -> Iterator[Issue]:
    yield from repeated_in(loc, form, "name")
    for n, field in enumerate(form):
        for attribute, kind in _KIND_OF_ATTRIBUTE.items():
            if field.kind is not kind and getattr(field, attribute) not in {None, ()}:
                yield Issue((*loc, n, attribute), f"not allowed for kind {field.kind.value}")
        yield from _odd_answers((*loc, n), field)


def _odd_answers(loc: Loc, field: FormField) -> Iterator[Issue]:
    match field.kind, field:
        case FieldKind.TEXT, FormField(max_length=int(most)) if most < 1:
            yield Issue((*loc, "max_length"), f"expected at least 1, got {most}")
        case FieldKind.INTEGER, FormField(minimum=int(least), maximum=int(most)) if least > most:
            yield Issue((*loc, "maximum"), f"{most} is below the minimum {least}")
        case FieldKind.CHOICE, FormField(choices=()):
            yield Issue((*loc, "choices"), "expected at least one")
        case _:
            yield from repeated_in((*loc, "choices"), field.choices, "value")
