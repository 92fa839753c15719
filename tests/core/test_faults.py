"""Faults and their places."""

import pytest

from faregate.errors import Issue, IssueCode, Loc, format_loc


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ((), ""),
        (("delta",), "delta"),
        (("items", 0, "validity"), "items[0].validity"),
        ((2, "parent"), "[2].parent"),
        (("media", 7), "media[7]"),
    ],
)
def test_a_place_reads_as_people_write_it(place: Loc, text: str) -> None:
    assert format_loc(place) == text


def test_a_fault_reads_as_its_place_if_it_has_one_and_its_message() -> None:
    assert str(Issue(("pools", 1, "size"), "is missing")) == "pools[1].size: is missing"
    assert str(Issue((), "is missing")) == "is missing"


def test_a_fault_is_invalid_where_nothing_else_is_said() -> None:
    assert Issue(("donation",), "expected at least 0").code is IssueCode.INVALID


def test_codes_are_lower_case_words_joined_by_hyphens() -> None:
    for code in IssueCode:
        assert code.value == code.name.lower().replace("_", "-")
