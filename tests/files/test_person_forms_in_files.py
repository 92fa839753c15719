"""The questions about every person in a catalogue file."""

import pytest

from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM
from faregate.errors import InvalidCatalogue
from faregate.files import parse_catalogue
from faregate.translations import Text
from support.files.samples import CATALOGUE


def test_a_file_says_what_is_asked_of_every_person() -> None:
    text = f"{CATALOGUE}\npersonForm: [{{name: height, kind: integer, title: Height, minimum: 50}}]\n"

    assert parse_catalogue(text).person_form == (
        FormField(name="height", kind=FieldKind.INTEGER, title=Text("Height"), minimum=50),
    )


@pytest.mark.parametrize("nothing", ["", "\npersonForm: []\n"])
def test_a_file_that_says_nothing_of_it_has_persons_with_names(nothing: str) -> None:
    assert parse_catalogue(f"{CATALOGUE}{nothing}").person_form == DEFAULT_PERSON_FORM


def test_a_fault_of_it_has_its_place_in_the_file() -> None:
    with pytest.raises(InvalidCatalogue, match=r"personForm.*0.*maxLength"):
        parse_catalogue(f"{CATALOGUE}\npersonForm: [{{name: a, kind: date, title: A, maxLength: 3}}]\n")
