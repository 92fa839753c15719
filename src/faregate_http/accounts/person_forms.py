"""The form for a person: its JSON Schema and the validation of answers. Decisions §13.

The form has the catalogue's questions for every person and the questions of the products in the request.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.presentation.form_fields import FieldKind
from faregate.catalogue.presentation.form_schema import DIALECT, fields_schema
from faregate.catalogue.presentation.person_form import asked_fields, composed_fields
from faregate.errors import InvalidInput, Issue
from faregate_http.offers.forms import Values, answer_issues, answers_validator, merged

_OWNER_FIELD, _FAMILY_FIELD = "email", "lastName"


class InvalidAnswers(InvalidInput):
    """The form rejects the answers; ``issues`` gives the locations and reasons."""

    code = "invalid-answers"


class PersonForm:
    """The form for a person who will use *products*, given as product ids."""

    def __init__(self, catalogue: Catalogue, products: Iterable[int] = ()) -> None:
        asked = [asked_fields(catalogue.product(product)) for product in products]
        self._fields = composed_fields(catalogue.person_form, *asked)

    def definition(self, language: str) -> dict[str, Any]:
        """Return the JSON Schema of the answers, with titles in *language*."""
        return {"$schema": DIALECT, **fields_schema(self._fields, language)}

    def changed(self, values: Values, patch: Mapping[str, Any]) -> Values:
        """Return *values* with *patch* merged in (RFC 7396); answers to questions of other forms are kept.

        Raises:
            InvalidAnswers: the form rejects answers, or answers are missing; the error lists all of them.
        """
        names = {field.name for field in self._fields}
        kept = {name: value for name, value in values.items() if name not in names}
        answers = merged({name: value for name, value in values.items() if name in names}, patch)
        unknown = [name for name, value in patch.items() if value is None and name not in names]
        faults = [
            *answer_issues(answers_validator(self.definition("en")), answers),
            *(Issue((name,), "unknown question") for name in unknown),
            *self._unanswered(answers),
        ]
        if faults:
            raise InvalidAnswers(*faults)
        return kept | {field.name: answers[field.name] for field in self._fields if field.name in answers}

    def _unanswered(self, answers: Values) -> Iterable[Issue]:
        missing = (field for field in self._fields if field.required and field.name not in answers)
        return (Issue((field.name,), "is missing") for field in missing)

    def defaults_of_owner(self, email: str) -> Values:
        """Return suggested answers about an account owner with the email address *email*."""
        asked = {field.name for field in self._fields if field.kind is FieldKind.EMAIL}
        return {_OWNER_FIELD: email} if email and _OWNER_FIELD in asked else {}

    def defaults_of_others(self, owner: Values) -> Values:
        """Return suggested answers about another person: the family name in *owner*, the owner's answers."""
        asked = {field.name for field in self._fields}
        return {name: owner[name] for name in (_FAMILY_FIELD,) if name in asked and name in owner}
