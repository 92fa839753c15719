"""The tree of parent and child items. Decisions §11.3."""

import pytest

from faregate.checkout.item_tree import parent_issues, parents_first, with_descendants
from faregate.checkout.model import CheckoutItem
from faregate.errors import Issue, IssueCode


def tree(**parents: int | None) -> list[CheckoutItem]:
    """Return items in the order of the keywords: ``tree(i2=1)`` is item 2 with parent 1."""
    return [CheckoutItem(int(name[1:]), variant=1, parent=parent) for name, parent in parents.items()]


def ids(items: list[CheckoutItem]) -> list[int]:
    return [item.id for item in items]


@pytest.mark.parametrize(
    "items",
    [[], tree(i1=None), tree(i1=None, i2=1, i3=2, i4=1), tree(i4=3, i3=2, i2=1, i1=None)],
    ids=["nothing", "alone", "parents first", "parents last"],
)
def test_items_with_existing_parents_have_no_issues(items: list[CheckoutItem]) -> None:
    assert list(parent_issues(items)) == []


@pytest.mark.parametrize(
    ("items", "circling"),
    [
        (tree(i1=1), [0]),
        (tree(i1=None, i2=3, i3=2), [1, 2]),
        (tree(i1=2, i2=3, i3=1), [0, 1, 2]),
        (tree(i4=1, i1=2, i2=1, i5=4, i3=None), [0, 1, 2, 3]),
        (tree(i1=1, i2=2), [0, 1]),
    ],
    ids=["of itself", "two", "three", "with children", "two cycles"],
)
def test_a_cycle_is_an_issue_of_every_item_that_leads_into_it(
    items: list[CheckoutItem], circling: list[int]
) -> None:
    assert list(parent_issues(items)) == [
        Issue((index, "parent"), "the parents of the item form a cycle") for index in circling
    ]


def test_a_missing_parent_is_an_issue_of_its_children_only() -> None:
    assert list(parent_issues(tree(i3=2, i2=9, i1=None))) == [
        Issue((1, "parent"), "there is no parent item 9", IssueCode.UNKNOWN_ITEM)
    ]


def test_a_long_cycle_is_found_in_one_pass() -> None:
    # Walking up from every item would take several minutes.
    size = 20_000
    circle = [CheckoutItem(n, variant=1, parent=(n + 1) % size) for n in range(size)]

    assert len(list(parent_issues(circle))) == size


@pytest.mark.parametrize(
    ("of", "family"),
    [((), set()), ((1,), {1, 2, 3, 5}), ((2,), {2, 3}), ((3, 4), {3, 4}), ((3, 1), {1, 2, 3, 5})],
)
def test_a_family_includes_all_descendants(of: tuple[int, ...], family: set[int]) -> None:
    assert with_descendants(of, tree(i1=None, i2=1, i3=2, i4=None, i5=1)) == family


@pytest.mark.parametrize(
    ("items", "order"),
    [
        ([], []),
        (tree(i2=None, i1=None), [2, 1]),
        (tree(i1=None, i2=1), [1, 2]),
        (tree(i2=1, i3=None, i1=None), [3, 1, 2]),
        (tree(i3=2, i2=1, i1=None), [1, 2, 3]),
        (tree(i5=1, i4=2, i3=1, i2=1, i1=None), [1, 5, 3, 2, 4]),
        (tree(i2=1, i4=3, i3=2, i1=None, i6=5, i5=None), [1, 2, 3, 4, 5, 6]),
        (tree(i3=9, i2=3), [3, 2]),
    ],
    ids=[
        "nothing",
        "as they came",
        "in order",
        "after its parent",
        "grandchildren",
        "siblings as they came",
        "two families",
        "a parent elsewhere",
    ],
)
def test_items_keep_their_order_but_follow_their_parents(items: list[CheckoutItem], order: list[int]) -> None:
    assert ids(parents_first(items)) == order
