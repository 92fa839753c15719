"""The generated histories of checkouts reach all cases that their laws need."""

from collections.abc import Callable

import pytest
from hypothesis import Phase, find, settings

from faregate.checkout.model import Checkout, ComponentSource
from faregate.checkout.priced import price_checkout
from faregate.errors import CheckoutConflict, InvalidCheckout, IssueCode
from support.checkouts.strategies import VILLAGE, Answer, Change, Event, Remove, histories
from support.shops.small_shop import NOW

pytestmark = pytest.mark.long
search = settings(max_examples=3_000, database=None, derandomize=True, phases=[Phase.generate])

REFUSALS = (
    IssueCode.UNKNOWN_VARIANT,
    IssueCode.UNKNOWN_ITEM,
    IssueCode.NOT_SOLD_HERE,
    IssueCode.NEEDS_PARENT,
    IssueCode.INVALID_DELTA,
    IssueCode.ID_TAKEN,
    IssueCode.NOT_DELETABLE,
    IssueCode.UNIQUE_ITEM,
    IssueCode.ONE_PER_PERSON,
)


def made(events: list[Event]) -> list[Event]:
    """Return the changes that were accepted and had an effect."""
    return [event for event in events if event.after is not event.before]


def refused_as(code: IssueCode) -> Callable[[list[Event]], bool]:
    def is_refused(events: list[Event]) -> bool:
        errors = [
            event.error for event in events if isinstance(event.error, InvalidCheckout | CheckoutConflict)
        ]
        return any(fault.code is code for error in errors for fault in error.issues)

    return is_refused


def last(events: list[Event]) -> Checkout:
    return events[-1].after


def components(checkout: Checkout) -> list[ComponentSource]:
    return [item.component.source for item in checkout.items if item.component]


def has_a_copy_without_its_item(checkout: Checkout) -> bool:
    ids = {item.id for item in checkout.items}
    return any(item.copy_of and item.copy_of not in ids for item in checkout.items)


CASES: dict[str, Callable[[list[Event]], object]] = {
    "ten items": lambda events: len(last(events).items) >= 10,
    "a grandchild": lambda events: any(
        parent.parent and child.parent == parent.id
        for parent in last(events).items
        for child in last(events).items
    ),
    "a medium and a guarantee": lambda events: len(set(components(last(events)))) == 2,
    "media of two items": lambda events: len(last(events).conditions.media) >= 2,
    "components that went": lambda events: any(
        isinstance(event.step, Answer) and len(event.after.items) < len(event.before.items)
        for event in events
    ),
    "components that came with a new item": lambda events: any(
        not isinstance(event.step, Answer) and len(components(event.after)) > len(components(event.before))
        for event in events
    ),
    "copies with components that were removed": lambda events: any(
        isinstance(event.step, Change) and len(components(event.after)) < len(components(event.before))
        for event in events
    ),
    "a copy without its item": lambda events: has_a_copy_without_its_item(last(events)),
    "an item removed with a child that a customer added": lambda events: any(
        isinstance(event.step, Remove) and len(event.after.removed - event.before.removed) > 1
        for event in made(events)
    ),
    "a valid code beside components": lambda events: (
        components(last(events))
        and price_checkout(last(events), catalogue=VILLAGE, at=NOW).totals.promo_code_discount
    ),
    **{f"a refusal: {code.value}": refused_as(code) for code in REFUSALS},
}


@pytest.mark.parametrize("case", CASES)
def test_histories_cover_each_case(case: str) -> None:
    find(histories(), lambda events: bool(CASES[case](events)), settings=search)
