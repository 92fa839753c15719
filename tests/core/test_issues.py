"""Issues: their text, and their collector."""

import pytest

from faregate.errors import CheckoutConflict, InvalidLines, Issue, IssueCode, Issues, Loc, format_loc


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


def test_an_issue_reads_as_its_place_if_it_has_one_and_its_message() -> None:
    assert str(Issue(("pools", 1, "size"), "is missing")) == "pools[1].size: is missing"
    assert str(Issue((), "is missing")) == "is missing"


def test_an_issue_is_invalid_where_nothing_else_is_said() -> None:
    assert Issue(("donation",), "expected at least 0").code is IssueCode.INVALID


def test_codes_are_lower_case_words_joined_by_hyphens() -> None:
    for code in IssueCode:
        assert code.value == code.name.lower().replace("_", "-")


def test_an_issue_can_be_read_from_outside_of_the_value_it_is_in() -> None:
    issue = Issue(("validity",), "is missing", IssueCode.VALIDITY_REQUIRED)

    assert issue.inside("items", 2) == Issue(
        ("items", 2, "validity"), "is missing", IssueCode.VALIDITY_REQUIRED
    )


def test_what_is_collected_is_raised_together() -> None:
    issues = Issues([Issue(("id",), "is used twice")])
    issues.add(("donation",), "expected at least 0")

    with pytest.raises(InvalidLines) as refused:
        issues.check(InvalidLines)

    assert refused.value.issues == tuple(issues)


def test_nothing_is_raised_where_nothing_was_collected() -> None:
    Issues().check(CheckoutConflict)
