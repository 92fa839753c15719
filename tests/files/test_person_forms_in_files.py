"""The questions about every person in a catalogue file."""

import pytest

from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM
from faregate.errors import InvalidCatalogue
from faregate.files import parse_catalogue
from faregate.translations import Text
from support.files.samples import CATALOGUE


def test_a_file_defines_the_form_for_every_person() -> None:
    text = f"{CATALOGUE}\npersonForm: [{{name: height, kind: integer, title: Height, minimum: 50}}]\n"

    assert parse_catalogue(text).person_form == (
        FormField(name="height", kind=FieldKind.INTEGER, title=Text("Height"), minimum=50),
    )


@pytest.mark.parametrize("nothing", ["", "\npersonForm: []\n"])
def test_a_file_without_a_person_form_has_the_default(nothing: str) -> None:
    assert parse_catalogue(f"{CATALOGUE}{nothing}").person_form == DEFAULT_PERSON_FORM


def test_an_issue_of_the_person_form_has_its_location() -> None:
    with pytest.raises(InvalidCatalogue, match=r"personForm.*0.*maxLength"):
        parse_catalogue(f"{CATALOGUE}\npersonForm: [{{name: a, kind: date, title: A, maxLength: 3}}]\n")
