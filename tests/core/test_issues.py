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
def test_a_loc_is_formatted_as_a_path(place: Loc, text: str) -> None:
    assert format_loc(place) == text


def test_an_issue_prints_its_loc_if_any_and_its_message() -> None:
    assert str(Issue(("pools", 1, "size"), "is missing")) == "pools[1].size: is missing"
    assert str(Issue((), "is missing")) == "is missing"


def test_an_issue_is_invalid_by_default() -> None:
    assert Issue(("donation",), "expected at least 0").code is IssueCode.INVALID


def test_codes_are_lower_case_words_joined_by_hyphens() -> None:
    for code in IssueCode:
        assert code.value == code.name.lower().replace("_", "-")


def test_an_issue_inside_a_value_gets_the_loc_of_the_value() -> None:
    issue = Issue(("validity",), "is missing", IssueCode.VALIDITY_REQUIRED)

    assert issue.inside("items", 2) == Issue(
        ("items", 2, "validity"), "is missing", IssueCode.VALIDITY_REQUIRED
    )


def test_collected_issues_are_raised_together() -> None:
    issues = Issues([Issue(("id",), "is used twice")])
    issues.add(("donation",), "expected at least 0")

    with pytest.raises(InvalidLines) as refused:
        issues.check(InvalidLines)

    assert refused.value.issues == tuple(issues)


def test_nothing_is_raised_without_issues() -> None:
    Issues().check(CheckoutConflict)
