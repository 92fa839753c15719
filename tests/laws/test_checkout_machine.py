"""Checkouts against a model of dictionaries that looks everything up the long way."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from faregate.catalogue.catalogue import Medium, Product
from faregate.checkout.changes import Checkout, CheckoutConditions, CheckoutItem, ComponentSource, ItemRequest
from faregate.errors import CheckoutConflict, FaregateError, InvalidCheckout, UnknownItems
from laws.checkout_strategies import (
    CODES,
    VILLAGE,
    Add,
    Answer,
    Change,
    Enter,
    Remove,
    Step,
    attempted,
    conditions,
    requests,
)

PRODUCT_OF: dict[int, Product] = {
    variant.id: product for product in VILLAGE.products for variant in product.variants
}
MEDIA: dict[int, Medium] = {medium.id: medium for medium in VILLAGE.media}


@dataclass
class Ticket:
    """What the model keeps of an item; ``group`` is the item that it counts with."""

    variant: int
    parent: int | None
    person: int | None
    start: str | None
    request: ItemRequest | None
    group: int


@dataclass
class Model:
    """A checkout as somebody would keep it on paper: no components, they follow from the rest."""

    tickets: dict[int, Ticket] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    media: dict[int, int] = field(default_factory=dict)
    guaranteed: bool = False

    def family(self, root: int) -> set[int]:
        children = [number for number, ticket in self.tickets.items() if ticket.parent == root]
        return {root}.union(*[self.family(child) for child in children])

    def remove(self, roots: set[int]) -> None:
        for number in set[int]().union(*[self.family(root) for root in roots]):
            del self.tickets[number]
            self.media.pop(number, None)

    def is_impossible(self, asked: ItemRequest, ids: set[int]) -> bool:
        product = PRODUCT_OF.get(asked.variant)
        return (
            not 1 <= asked.id < 2**31
            or product is None
            or product.merchant == "hire"
            or (asked.validity is not None) is not product.has_validity
            or (asked.parent is None and not product.standalone)
            or (asked.id not in self.tickets and self.names_what_is_not_there(asked, ids))
        )

    def names_what_is_not_there(self, asked: ItemRequest, ids: set[int]) -> bool:
        return asked.originated_from == asked.id or any(
            other not in {*ids, None} for other in (asked.parent, asked.originated_from)
        )

    def is_circular(self, asked: tuple[ItemRequest, ...]) -> bool:
        parents = {one.id: one.parent for one in asked if one.id not in self.tickets}
        for start in parents:
            above: int | None = start
            for _ in range(len(parents) + 1):
                above = parents.get(above) if above is not None else None
            if above is not None:
                return True
        return False

    def is_conflicting(self, asked: tuple[ItemRequest, ...]) -> bool:
        tickets = dict(self.tickets)
        for one in asked:
            there = self.tickets.get(one.id)
            if there is not None:
                if there.request is None or meaning(there.request) != meaning(one):
                    return True
                continue
            product = PRODUCT_OF[one.variant]
            same = [other for other in tickets.values() if PRODUCT_OF[other.variant] is product]
            if (
                one.id in self.used
                or (product.is_unique_item and any(other.variant == one.variant for other in same))
                or (
                    product.is_max_one_ticket_per_person
                    and one.person is not None
                    and any((other.person, other.start) == (one.person, start_of(one)) for other in same)
                )
            ):
                return True
            tickets[one.id] = ticket_of(one)
        return False

    def components(self) -> dict[tuple[int, ComponentSource], list[int]]:
        """The prices of the components of each item."""
        found = {
            (number, ComponentSource.MEDIUM): [part.price for part in MEDIA[medium].price_components]
            for number, medium in self.media.items()
        }
        if self.guaranteed:
            for number, ticket in self.tickets.items():
                surcharges = PRODUCT_OF[ticket.variant].weather_guarantee
                found[number, ComponentSource.WEATHER_GUARANTEE] = [part.price for part in surcharges]
        return {key: prices for key, prices in found.items() if prices}


def start_of(asked: ItemRequest) -> str | None:
    """The day on which it is valid; each of the validities drawn is one day."""
    days = {"2026-12-27": "27", "2026-12-28T00:00": "28", "2026-12-27T23:00Z": "28"}
    return asked.validity and days[asked.validity[0]]


def meaning(asked: ItemRequest) -> tuple[ItemRequest, str | None]:
    """What is asked for, however its validity is written."""
    return asked._replace(validity=None), start_of(asked)


def ticket_of(asked: ItemRequest) -> Ticket:
    return Ticket(asked.variant, asked.parent, asked.person, start_of(asked), asked, asked.id)


class CheckoutMachine(RuleBasedStateMachine):
    """Takes each step twice: in the library, and in the model."""

    def __init__(self) -> None:
        super().__init__()
        self.checkout = Checkout("web")
        self.model = Model()
        self.codes: dict[str, None] = {}

    def take(self, step: Step, refusal: type[FaregateError] | None) -> bool:
        """Whether *step* is taken, once it turned out just as foreseen."""
        outcome = attempted(self.checkout, step)
        if isinstance(outcome, Checkout):
            assert refusal is None, f"expected {refusal}, but it was taken"
            self.checkout = outcome
            return True
        assert type(outcome) is refusal, repr(outcome)
        return False

    @rule(data=st.data())
    def add(self, data: st.DataObject) -> None:
        asked = data.draw(requests(self.checkout))
        model, ids = self.model, {one.id for one in asked}
        ids_here = ids | {item.id for item in self.checkout.items}
        components = {item.id for item in self.checkout.items if item.component}
        impossible = (
            len(ids) < len(asked)
            or any(model.is_impossible(one, ids_here) for one in asked)
            or any(one.parent in components for one in asked)
            or model.is_circular(asked)
        )
        conflicting = not impossible and model.is_conflicting(asked)

        refusal = InvalidCheckout if impossible else CheckoutConflict if conflicting else None
        if self.take(Add(asked), refusal):
            for one in asked:
                model.tickets.setdefault(one.id, ticket_of(one))
            model.used |= ids

    @precondition(lambda self: self.checkout.items)
    @rule(data=st.data())
    def add_again(self, data: st.DataObject) -> None:
        mine = [ticket.request for ticket in self.model.tickets.values() if ticket.request]
        again = data.draw(st.lists(st.sampled_from(mine), unique=True)) if mine else []
        before = self.checkout

        assert self.take(Add(tuple(again)), None)
        assert self.checkout is before

    @precondition(lambda self: self.checkout.items)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        ids = data.draw(st.sets(st.sampled_from([item.id for item in self.checkout.items]), max_size=3))
        unknown = data.draw(st.sampled_from((*[()] * 9, (999,))))
        tickets, roots = self.model.tickets, set[int]()
        for number in ids & tickets.keys():
            others = [self.model.family(other) for other in ids & tickets.keys() - {number}]
            if not any(number in family for family in others):
                roots.add(number)
        gone = set[int]().union(*[self.model.family(root) for root in roots])
        items = {item.id: item for item in self.checkout.items}
        stuck = any(not PRODUCT_OF[tickets[root].variant].is_deletable for root in roots) or any(
            items[number].parent not in gone for number in ids - tickets.keys()
        )

        refusal = UnknownItems if unknown else CheckoutConflict if stuck else None
        if self.take(Remove((*ids, *unknown)), refusal):
            self.model.remove(roots)

    @precondition(lambda self: self.checkout.items)
    @rule(data=st.data(), delta=st.sampled_from((1, 2, -1, -2, -3, 0)))
    def change(self, data: st.DataObject, delta: int) -> None:
        number = data.draw(st.sampled_from([item.id for item in self.checkout.items]))
        ticket = self.model.tickets.get(number)
        first_copy = self.checkout.next_id
        refusal: type[FaregateError] | None = None
        group: list[int] = []
        if ticket is not None:
            group = [other for other, kept in self.model.tickets.items() if kept.group == ticket.group]
        if delta == 0 or (ticket is not None and -delta > len(group)):
            refusal = InvalidCheckout
        elif (
            ticket is None
            or (delta < 0 and not PRODUCT_OF[ticket.variant].is_deletable)
            or (delta > 0 and PRODUCT_OF[ticket.variant].is_unique_item)
        ):
            refusal = CheckoutConflict

        if self.take(Change(number, delta), refusal) and ticket is not None:
            if delta < 0:
                # Dictionaries keep their order: the last are the newest.
                self.model.remove(set(group[delta:]))
            for copy in range(first_copy, first_copy + delta):
                self.model.tickets[copy] = Ticket(
                    ticket.variant, ticket.parent, None, ticket.start, None, ticket.group
                )
                if number in self.model.media:
                    self.model.media[copy] = self.model.media[number]

    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        chosen: CheckoutConditions = data.draw(conditions(self.checkout))

        assert self.take(Answer(chosen), None)
        self.model.media = dict(chosen.media)
        self.model.guaranteed = bool(chosen.weather_guarantee)

    @rule(code=st.sampled_from(CODES))
    def enter(self, code: str) -> None:
        assert self.take(Enter(code.lower()), None)
        self.codes[code] = None

    @invariant()
    def has_the_items_of_the_model(self) -> None:
        there = {
            item.id: (item.variant, item.parent, item.person)
            for item in self.checkout.items
            if not item.component
        }
        assert there == {
            number: (ticket.variant, ticket.parent, ticket.person)
            for number, ticket in self.model.tickets.items()
        }

    @invariant()
    def has_the_components_of_the_model(self) -> None:
        there: dict[tuple[int, ComponentSource], list[CheckoutItem]] = {}
        for item in self.checkout.items:
            if item.component is not None and item.parent is not None:
                there.setdefault((item.parent, item.component.source), []).append(item)
        assert {
            key: [item.quote.list_price for item in items if item.quote] for key, items in there.items()
        } == self.model.components()

    @invariant()
    def has_the_codes_and_media_of_the_model(self) -> None:
        assert self.checkout.codes == tuple(self.codes)
        assert dict(self.checkout.conditions.media) == self.model.media


TestCheckouts = CheckoutMachine.TestCase
TestCheckouts.settings = settings(stateful_step_count=25)
