"""The written form of each kind of value refuses what is not of that kind."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, tzinfo
from enum import Enum
from typing import Any

import pytest

from faregate.discounts.kinds import Absolute, Percentage
from faregate.documents.hooks import Stored, dec_hook, enc_hook
from faregate.documents.objects import form_of
from faregate.errors import InvalidDocument
from faregate.tax.rates import VatLevel


class Floor(Enum):
    """An enumeration of numbers."""

    CELLAR = -1


@pytest.mark.parametrize(
    ("annotation", "wrong", "expected"),
    [
        (object, {"a": [1, 0.5]}, "a JSON value without floats"),
        (VatLevel, "LINE", "a VatLevel"),
        (tuple[int, ...], [1], "a tuple"),
        (Mapping[str, int], [("a", 1)], "a mapping"),
        (Absolute | Percentage, 500, "one of Absolute, Percentage"),
        (date, "2026-12-27", "a date"),
        (tzinfo, "Europe/Zurich", "a zone"),
    ],
)
def test_a_value_of_another_kind_is_not_written(annotation: Any, wrong: object, expected: str) -> None:
    with pytest.raises(InvalidDocument, match=expected):
        form_of(annotation).write(wrong)


@pytest.mark.parametrize(
    ("annotation", "wrong", "expected"),
    [
        (tuple[int, ...], {"a": 1}, "a list"),
        (frozenset[int], [1, 1], "a list without duplicates"),
        (Mapping[str, int], [["a", 1], ["a", 2]], "pairs without duplicate keys"),
        (date, "2026-12-32", "a date"),
    ],
)
def test_data_of_another_form_are_not_read(annotation: Any, wrong: object, expected: str) -> None:
    with pytest.raises(InvalidDocument, match=expected):
        form_of(annotation).read(wrong)


def test_an_optional_value_and_a_number_of_an_enumeration_have_their_json_type() -> None:
    assert form_of(int | None).json == form_of(Floor).json == "integer"


def test_a_mapping_is_read_as_it_was_written() -> None:
    form = form_of(Mapping[str, int])

    assert form.read(form.write({"a": 1})) == {"a": 1}
    assert form.schema(lambda _: {})["type"] == "array"


def test_a_box_for_msgspec_is_a_value_and_nothing_else_is_taken() -> None:
    five = Stored(Absolute(500))

    assert (five, hash(five)) == (Stored(Absolute(500)), hash(Absolute(500)))
    assert five != Absolute(500)
    assert repr(five) == f"Stored({Absolute(500)!r})"
    assert dec_hook(Stored[Absolute], enc_hook(five)) == five
    with pytest.raises(NotImplementedError, match="cannot write a set"):
        enc_hook(set())
    with pytest.raises(NotImplementedError, match="cannot read"):
        dec_hook(set, [])
