"""Laws of checkouts, after any history of changes. Decisions §3.9, §5, §11."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.basket.policy import PriceBasis
from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.changes import is_deletable, remove_items
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.item_tree import with_descendants
from faregate.checkout.model import Checkout, ComponentSource
from faregate.checkout.priced import price_checkout
from faregate.checkout.surcharges import weather_guarantee_price
from faregate.errors import CheckoutConflict, FaregateError, InvalidCheckout, UnknownEntry
from support.checkouts.figures import LATER, figures
from support.checkouts.strategies import (
    VILLAGE,
    Add,
    Answer,
    Change,
    Event,
    Step,
    after,
    anything,
    asked_again,
    attempted,
    changed_catalogues,
    checkouts,
    conditions,
    filled,
    histories,
    requests,
    steps,
)
from support.shops.small_shop import NOW


def added(checkout: Checkout, asked: tuple[ItemRequest, ...] | list[ItemRequest]) -> Checkout:
    return after(checkout, Add(tuple(asked)))


def accepted(checkout: Checkout, step: Step) -> Checkout:
    """Return *checkout* after *step*; discard the example if the step is refused."""
    outcome = attempted(checkout, step)
    assume(isinstance(outcome, Checkout))
    assert isinstance(outcome, Checkout)
    return outcome


@given(histories())
def test_ids_are_unique_and_never_reused(events: list[Event]) -> None:
    gone: set[int] = set()
    for event in events:
        before, now = [item.id for item in event.before.items], [item.id for item in event.after.items]
        gone |= set(before) - set(now)
        assert len(set(now)) == len(now)
        assert not gone & set(now)
        assert event.after.removed == {number for number in gone if number < 2**31}
        assert all(number < event.after.next_id for number in now)


@given(histories())
def test_remaining_items_keep_their_content_and_order(events: list[Event]) -> None:
    for event in events:
        kept = {item.id for item in event.before.items} & {item.id for item in event.after.items}
        assert [item for item in event.before.items if item.id in kept] == list(
            event.after.items[: len(kept)]
        )


@given(histories())
def test_items_keep_the_price_at_which_they_were_added(events: list[Event]) -> None:
    for n, event in enumerate(events):
        there = {item.id for item in event.before.items}
        for item in event.after.items:
            assert item.quote is not None
            assert item.id in there or item.quote.at == NOW + timedelta(minutes=n)


def asked_components(checkout: Checkout) -> set[tuple[int, ComponentSource, int | None, int, int]]:
    """Return the parent, source, medium, variant and price of every component that the conditions require."""
    items = {item.id: item for item in checkout.items if not item.component}
    media = {
        (item_id, ComponentSource.MEDIUM, choice, part.variant, part.price)
        for item_id, choice in checkout.conditions.media
        for medium in VILLAGE.media
        if medium.id == choice
        for part in medium.price_components
    }
    guarantees = {
        (item_id, ComponentSource.WEATHER_GUARANTEE, None, part.variant, part.price)
        for item_id, item in items.items()
        for product in VILLAGE.products
        if item.variant in {variant.id for variant in product.variants}
        for part in product.weather_guarantee
        if checkout.conditions.weather_guarantee
    }
    return media | guarantees


@given(checkouts())
def test_components_are_exactly_those_that_the_conditions_require(checkout: Checkout) -> None:
    there = [
        (item.parent, item.component.source, item.component.medium, item.variant, item.quote.list_price)
        for item in checkout.items
        if item.component and item.quote
    ]

    assert len(there) == len(set(there))
    assert set(there) == asked_components(checkout)


@given(checkouts())
def test_the_price_of_the_guarantee_is_what_it_adds(checkout: Checkout) -> None:
    without = after(checkout, Answer(replace(checkout.conditions, weather_guarantee=False)))
    guaranteed = after(checkout, Answer(replace(checkout.conditions, weather_guarantee=True)))

    price = weather_guarantee_price(checkout, VILLAGE)
    in_net = VILLAGE.channel(checkout.channel).policy.price_basis is PriceBasis.NET
    figure = "list_price_net" if in_net else "list_price_gross"
    assert figures(guaranteed)[figure] - figures(without)[figure] == (price or 0)
    assert (price is None) is (len(guaranteed.items) == len(without.items))


@given(filled(), st.randoms(use_true_random=False))
def test_repeating_a_request_for_existing_items_changes_nothing(checkout: Checkout, random: Random) -> None:
    mine = [asked_again(item) for item in checkout.items if item.id < 2**31]
    again = random.sample(mine, random.randint(0, len(mine)))

    assert added(checkout, again) is checkout


@given(checkouts(), st.data())
def test_repeated_items_beside_new_ones_add_only_the_new_ones(
    checkout: Checkout, data: st.DataObject
) -> None:
    asked = data.draw(requests(checkout))
    again = [asked_again(item) for item in checkout.items if item.id < 2**31]
    grown = accepted(checkout, Add(asked))

    assert added(checkout, [*again, *(one for one in asked if one not in again)]) == grown
    assert added(grown, asked) is grown


@given(checkouts(), st.data(), st.randoms(use_true_random=False))
def test_the_order_of_requests_changes_no_price(
    checkout: Checkout, data: st.DataObject, random: Random
) -> None:
    asked = data.draw(requests(checkout, most=6))
    grown = accepted(checkout, Add(asked))

    shuffled = added(checkout, random.sample(asked, len(asked)))

    assert {item for item in shuffled.items if not item.component} == {
        item for item in grown.items if not item.component
    }
    assert figures(shuffled) == figures(grown)


@given(checkouts(), st.lists(anything, max_size=5))
def test_requested_items_are_added_or_refused_with_their_locations(
    checkout: Checkout, asked: list[ItemRequest]
) -> None:
    match attempted(checkout, Add(tuple(asked))):
        case Checkout(items=items):
            assert {one.id for one in asked} <= {item.id for item in items}
        case InvalidCheckout(issues=faults) | CheckoutConflict(issues=faults):
            assert faults
            for fault in faults:
                collection, index, field = fault.loc
                assert collection == "items"
                assert hasattr(asked[int(index)], str(field))
        case error:
            pytest.fail(f"{error!r}")


@given(st.lists(anything, max_size=5, unique_by=lambda one: one.id))
def test_a_request_has_the_issues_of_each_of_its_items_alone(asked: list[ItemRequest]) -> None:
    # Related requests can only be judged together.
    asked = [one._replace(parent=None, originated_from=None) for one in asked]

    def faults(of: list[ItemRequest]) -> list[tuple[object, ...]]:
        outcome = attempted(Checkout("web"), Add(tuple(of)))
        issues = outcome.issues if isinstance(outcome, InvalidCheckout) else ()
        return [(fault.loc[2:], fault.code, fault.message) for fault in issues]

    assert faults(asked) == [fault for one in asked for fault in faults([one])]


@given(filled(), st.data(), st.integers(1, 4))
def test_raising_and_then_lowering_a_quantity_changes_nothing(
    checkout: Checkout, data: st.DataObject, delta: int
) -> None:
    item = data.draw(st.sampled_from([item.id for item in checkout.items]))
    more = accepted(checkout, Change(item, delta))
    back = accepted(more, Change(item, -delta))

    assert back == replace(checkout, next_id=more.next_id)
    assert figures(back) == figures(checkout)
    assert len(more.items) >= len(checkout.items) + delta


@given(checkouts(), st.data())
def test_the_last_answers_count(checkout: Checkout, data: st.DataObject) -> None:
    first, last = data.draw(conditions(checkout)), data.draw(conditions(checkout))

    once = after(checkout, Answer(last))
    twice = after(after(checkout, Answer(first)), Answer(last))

    assert twice.conditions == once.conditions == last
    assert figures(twice) == figures(once)
    assert after(once, Answer(last)) is once


@given(checkouts(), changed_catalogues(), st.data())
def test_after_a_catalogue_change_a_change_is_made_or_refused(
    checkout: Checkout, catalogue: Catalogue, data: st.DataObject
) -> None:
    step = data.draw(steps(checkout))

    # Errors other than FaregateError fail the test.
    outcome = attempted(checkout, step, catalogue=catalogue)

    assert isinstance(outcome, FaregateError) or outcome.channel == checkout.channel
    assert not isinstance(outcome, UnknownEntry)


@given(checkouts(), changed_catalogues())
def test_after_a_catalogue_change_a_checkout_has_a_price_or_names_the_items(
    checkout: Checkout, catalogue: Catalogue
) -> None:
    variants = {variant.id for product in catalogue.products for variant in product.variants}
    lost = {item.id for item in checkout.items if item.variant not in variants}
    try:
        result = price_checkout(checkout, catalogue=catalogue, at=LATER)
    except InvalidCheckout as error:
        named = [int(fault.loc[1]) for fault in error.issues]
        lost ^= {checkout.items[index].id for index in named}
    else:
        lost |= {item.id for item in checkout.items} ^ {item.key for item in result.items}

    assert not lost


@given(filled(), changed_catalogues(), st.data())
def test_after_a_catalogue_change_items_can_still_be_removed(
    checkout: Checkout, catalogue: Catalogue, data: st.DataObject
) -> None:
    mine = [item for item in checkout.items if not item.component and is_deletable(item, catalogue)]
    assume(mine)
    ids = data.draw(st.sets(st.sampled_from([item.id for item in mine]), min_size=1))

    left = remove_items(checkout, ids, catalogue=catalogue)

    assert {item.id for item in left.items} == {item.id for item in checkout.items} - with_descendants(
        ids, checkout.items
    )
