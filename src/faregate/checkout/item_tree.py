"""The tree of items in a checkout: parents before children, no cycles, children removed with parents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from faregate.checkout.model import CheckoutItem
from faregate.errors import Issue, IssueCode


def parent_issues(items: Sequence[CheckoutItem]) -> Iterator[Issue]:
    """Yield an issue for each item whose parent is missing from *items* or whose parents form a cycle."""
    parents = {item.id: item.parent for item in items}
    if not any(parents.values()):
        return
    rooted = _rooted(parents)
    for index, item in enumerate(items):
        if item.parent is not None and item.parent not in parents:
            message = f"there is no parent item {item.parent}"
            yield Issue((index, "parent"), message, IssueCode.UNKNOWN_ITEM)
        elif item.id not in rooted:
            yield Issue((index, "parent"), "the parents of the item form a cycle")


def _rooted(parents: Mapping[int, int | None]) -> set[int]:
    """Return the ids of all items that neither belong to a cycle of parents nor descend from one."""
    children: dict[int | None, list[int]] = {}
    for item_id, parent in parents.items():
        children.setdefault(parent if parent in parents else None, []).append(item_id)
    rooted = children.get(None, [])
    for item_id in rooted:  # the list grows while the loop runs
        rooted += children.get(item_id, ())
    return set(rooted)


def with_descendants(ids: Iterable[int], items: Iterable[CheckoutItem]) -> set[int]:
    """Return *ids* and the ids of all their descendants; *items* must be in parents-first order."""
    family = set(ids)
    for item in items:
        if item.parent in family:
            family.add(item.id)
    return family


def parents_first(items: Sequence[CheckoutItem]) -> list[CheckoutItem]:
    """Return *items* reordered so that each follows its parent; the parents must not form a cycle."""
    ids = {item.id for item in items}
    placed: dict[int, CheckoutItem] = {}
    waiting: dict[int, list[CheckoutItem]] = {}
    for item in items:
        if item.parent in ids and item.parent not in placed:
            waiting.setdefault(item.parent, []).append(item)
            continue
        ready = [item]
        while ready:
            first = ready.pop()
            placed[first.id] = first
            ready += reversed(waiting.pop(first.id, ()))
    return list(placed.values())
