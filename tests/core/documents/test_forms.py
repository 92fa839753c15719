"""The written form of each kind of value refuses what is not of that kind."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.discounts.kinds import Absolute, Percentage
from faregate.documents.hooks import Stored, dec_hook, enc_hook
from faregate.documents.objects import form_of
from faregate.errors import InvalidDocument
from faregate.tax.rates import VatLevel

ZURICH = ZoneInfo("Europe/Zurich")
SECOND_TWO = datetime(2026, 10, 25, 2, tzinfo=ZURICH, fold=1)


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
def test_a_value_of_the_wrong_type_is_not_written(annotation: Any, wrong: object, expected: str) -> None:
    with pytest.raises(InvalidDocument, match=expected):
        form_of(annotation).write(wrong)


@pytest.mark.parametrize(
    ("annotation", "wrong", "expected"),
    [
        (tuple[int, ...], {"a": 1}, "a list"),
        (frozenset[int], [1, 1], "a list without duplicates"),
        (Mapping[str, int], [["a", 1], ["a", 2]], "pairs without duplicate keys"),
        (Absolute | Percentage, 500, "one of Absolute, Percentage"),
        (Absolute | Percentage, {"type": "Absolut"}, "did you mean 'Absolute'"),
        (date, "2026-12-32", "a date"),
        (date, 20261227, "a date"),
        (Decimal, "NaN", "a decimal"),
        (Decimal, "eight", "a decimal"),
        (tzinfo, "Europe/Zuerich", "a zone"),
        (tzinfo, "Europe", "a zone"),
        (Absolute, 500, "an object, got 500"),
        (Absolute, {"type": "Percentage", "amount": 1}, "type: expected 'Absolute', got 'Percentage'"),
    ],
)
def test_data_of_the_wrong_form_is_not_read(annotation: Any, wrong: object, expected: str) -> None:
    with pytest.raises(InvalidDocument, match=expected):
        form_of(annotation).read(wrong)


def test_optional_values_and_integer_enumerations_have_their_json_type() -> None:
    assert form_of(int | None).json == form_of(Floor).json == "integer"


@pytest.mark.parametrize(
    ("annotation", "value", "written"),
    [
        (Mapping[str, int], {"a": 1}, [["a", 1]]),
        (object, {"a": [1, None]}, {"a": [1, None]}),
        (datetime, datetime(2026, 12, 27, 9, tzinfo=UTC), "2026-12-27T09:00:00+00:00"),
        (datetime, datetime(2026, 10, 25, 2, tzinfo=ZURICH), "2026-10-25T02:00:00+02:00[Europe/Zurich]"),
        (
            datetime,
            datetime(2026, 10, 25, 2, tzinfo=ZURICH, fold=1),
            "2026-10-25T02:00:00+01:00[Europe/Zurich]",
        ),
        (tzinfo, timezone(timedelta(hours=-5)), "-05:00"),
        (int | tzinfo, ZURICH, "Europe/Zurich"),
        (timedelta, timedelta(seconds=-90, milliseconds=-250), "-PT90.25S"),
        (Fraction, Fraction(1, 3), "1/3"),
        (date | timedelta, timedelta(days=1), {"type": "timedelta", "value": "PT86400S"}),
    ],
)
def test_a_value_is_read_as_it_was_written(annotation: Any, value: object, written: object) -> None:
    form = form_of(annotation)

    assert form.write(value) == written
    assert form.read(written) == value
    assert isinstance(form.schema(lambda _: {}), dict)


@pytest.mark.parametrize("wrong", [{"value": "PT1S"}, {"type": "timedelta"}])
def test_a_boxed_value_has_exactly_its_type_and_its_value(wrong: object) -> None:
    with pytest.raises(InvalidDocument, match="expected"):
        form_of(date | timedelta).read(wrong)


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="a list with 2 entries"):
        form_of(tuple[str, int]).read(["a"])


def test_a_box_for_msgspec_is_a_value_and_other_types_are_refused() -> None:
    five = Stored(Absolute(500))

    assert (five, hash(five)) == (Stored(Absolute(500)), hash(Absolute(500)))
    assert five != Absolute(500)
    assert repr(five) == f"Stored({Absolute(500)!r})"
    assert dec_hook(Stored[Absolute], enc_hook(five)) == five
    with pytest.raises(NotImplementedError, match="cannot write a set"):
        enc_hook(set())
    with pytest.raises(NotImplementedError, match="cannot read"):
        dec_hook(set, [])
