"""Strategies for changes to checkouts, most of which suit the checkout.

A history is the result of several changes in a row, including refused ones.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from typing import NamedTuple, TypeAlias, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.products import ProductType
from faregate.checkout.changes import add_code, add_items, change_quantity, remove_items, set_conditions
from faregate.checkout.item_requests import ItemRequest
from faregate.checkout.model import Checkout, CheckoutConditions, CheckoutItem
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Conditions,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.errors import FaregateError
from support.baskets.strategies import rarely, upto
from support.shops.small_shop import (
    ADULT,
    CHILD,
    CLEANING,
    HALF_FARE,
    INSURANCE,
    KEYCARD,
    LOCKER,
    LUNCH,
    NOW,
    ON_KEYCARD,
    ON_PHONE,
    ON_PHOTO_CARD,
    RENTAL,
    RESORT,
    SEASON_PASS,
    TOUR,
    WEB,
)

T = TypeVar("T")

_NET = replace(WEB, uuid="net", policy=TotalsPolicy(price_basis=PriceBasis.NET))
VILLAGE = replace(
    RESORT,
    channels=(*RESORT.channels, _NET),
    automatic_discounts=(
        AutomaticDiscount(
            id=1,
            kind=Percentage.percent("13.37", level=DiscountLevel.LINE),
            scope=Scope(products=frozenset({61})),
        ),
        AutomaticDiscount(
            id=2, kind=Absolute(333, DiscountLevel.LINE), scope=Scope(categories=frozenset({2}))
        ),
    ),
    promo_codes=(
        PromoCode(code="TEN", kind=Percentage.percent(10)),
        PromoCode(code="ODD", kind=Absolute(1001)),
        PromoCode(
            code="BIG",
            kind=Absolute(5000),
            conditions=Conditions(thresholds=(Threshold(spend=12_300, quantity=3),)),
        ),
    ),
)
"""The resort with discounts and a channel with net prices."""

CODES = ("TEN", "ODD", "BIG", "GIFT")
PERSONS: Mapping[int, Mapping[str, object]] = {8: {}, 9: {}}
DATED = frozenset({ADULT, CHILD, TOUR})
_VARIANTS = (
    ADULT,
    TOUR,
    LUNCH,
    CHILD,
    TOUR,
    LUNCH,
    ADULT,
    TOUR,
    INSURANCE,
    SEASON_PASS,
    KEYCARD,
    LOCKER,
    CLEANING,
)
_VALIDITIES = (
    ("2026-12-27", "2026-12-27"),
    ("2026-12-28T00:00", "2026-12-28T23:59:59"),
    ("2026-12-27T23:00Z", "2026-12-28T23:00Z"),
)
_MEDIA = {ADULT: (ON_KEYCARD,), CHILD: (ON_KEYCARD,), TOUR: (ON_KEYCARD, ON_PHOTO_CARD, ON_PHONE)}


class Add(NamedTuple):
    requests: tuple[ItemRequest, ...]


class Remove(NamedTuple):
    ids: tuple[int, ...]


class Change(NamedTuple):
    item: int
    delta: int


class Answer(NamedTuple):
    conditions: CheckoutConditions


class Enter(NamedTuple):
    code: str


Step: TypeAlias = Add | Remove | Change | Answer | Enter


def after(checkout: Checkout, step: Step, *, at: datetime = NOW, catalogue: Catalogue = VILLAGE) -> Checkout:
    """Return *checkout* after *step*."""
    match step:
        case Add(requests):
            return add_items(checkout, requests, catalogue=catalogue, at=at, persons=PERSONS)
        case Remove(ids):
            return remove_items(checkout, ids, catalogue=catalogue)
        case Change(item, delta):
            return change_quantity(checkout, item, delta, catalogue=catalogue, at=at)
        case Answer(conditions):
            return set_conditions(checkout, conditions, catalogue=catalogue, at=at)
        case Enter(code):
            return add_code(checkout, code, catalogue=catalogue)


def attempted(
    checkout: Checkout, step: Step, *, at: datetime = NOW, catalogue: Catalogue = VILLAGE
) -> Checkout | FaregateError:
    """Return *checkout* after *step*, or the error that refuses the step."""
    try:
        return after(checkout, step, at=at, catalogue=catalogue)
    except FaregateError as error:
        return error


def _oddly(usual: T, odd: st.SearchStrategy[T], *, one_in: int = 40) -> st.SearchStrategy[T]:
    return rarely(odd, usual, one_in=one_in)


@st.composite
def requests(draw: DrawFn, checkout: Checkout, *, most: int = 4) -> tuple[ItemRequest, ...]:
    """Draw requests in any order, nearly all of which can be added."""
    taken = sorted({item.id for item in checkout.items} | checkout.removed)
    free = [number for number in range(1, 201) if number not in taken]
    used = sorted(checkout.removed) * 3
    parents = [item.id for item in checkout.items if item.component is None]
    drawn: list[ItemRequest] = []
    ids = draw(st.lists(st.sampled_from(free), min_size=1, max_size=most, unique=True))
    for number in ids:
        variant = draw(st.sampled_from(_VARIANTS))
        needs_parent = variant == INSURANCE and bool(parents)
        above = draw(st.sampled_from(parents)) if parents and draw(upto(2 - 2 * needs_parent)) == 0 else None
        drawn.append(
            ItemRequest(
                draw(_oddly(number, st.sampled_from([2**31, *used, *taken, *ids]), one_in=20)),
                draw(_oddly(variant, st.sampled_from((999, RENTAL)))),
                draw(st.sampled_from(_VALIDITIES)) if variant in DATED else None,
                parent=draw(_oddly(above, st.integers(1, 42))),
                originated_from=draw(_oddly(None, st.integers(1, 42))),
                person=draw(st.sampled_from((None, None, 8))),
                discount_card=draw(st.sampled_from((None, None, HALF_FARE))),
            )
        )
        # Later items may refer to this parent; in reverse order they precede it.
        parents.append(number)
    return tuple(draw(st.permutations(drawn)))


def conditions(checkout: Checkout) -> st.SearchStrategy[CheckoutConditions]:
    """Draw answers that suit *checkout*."""
    choices = [
        st.sampled_from([*[((item.id, medium),) for medium in _MEDIA[item.variant]], ()])
        for item in checkout.items
        if item.variant in _MEDIA
    ]
    return st.builds(
        CheckoutConditions,
        donation=st.sampled_from((None, None, 0, 500)),
        weather_guarantee=st.sampled_from((True, True, None, False)),
        media=st.tuples(*choices).map(lambda chosen: tuple(chain.from_iterable(chosen))),
    )


_KINDS = (Add, Add, Answer, Answer, Change, Change, Change, Remove, Remove, Enter, Enter)


@st.composite
def steps(draw: DrawFn, checkout: Checkout) -> Step:
    """Draw one change with existing ids."""
    ids = st.sampled_from([item.id for item in checkout.items] or [1])
    kind = draw(st.sampled_from(_KINDS)) if checkout.items else Add
    if kind is Add:
        return Add(draw(requests(checkout)))
    if kind is Answer:
        return Answer(draw(conditions(checkout)))
    if kind is Enter:
        return Enter(draw(st.sampled_from(CODES)))
    if kind is Change:
        return Change(draw(ids), draw(st.sampled_from((1, 2, 3, -1, -2, 0))))
    return Remove(tuple(draw(st.lists(ids, min_size=1, max_size=2))))


class Event(NamedTuple):
    """A step, the checkouts before and after it, and its error if it was refused."""

    before: Checkout
    step: Step
    after: Checkout
    error: FaregateError | None

    def __repr__(self) -> str:
        # The steps of a history describe its checkouts.
        return f"<{self.before.channel}: {self.step!r}, error={self.error!r}>"


@st.composite
def histories(draw: DrawFn, *, most: int = 10) -> list[Event]:
    """Draw up to *most* steps in a row, a minute apart, from an empty checkout."""
    checkout = Checkout(draw(st.sampled_from(("web", "web", "net"))))
    events: list[Event] = []
    for n in range(most - draw(upto(most - 1))):
        step = draw(steps(checkout))
        outcome = attempted(checkout, step, at=NOW + timedelta(minutes=n))
        if isinstance(outcome, FaregateError):
            events.append(Event(checkout, step, checkout, outcome))
        else:
            events.append(Event(checkout, step, outcome, None))
            checkout = outcome
    return events


def checkouts() -> st.SearchStrategy[Checkout]:
    """Draw checkouts after some changes."""
    return histories().map(lambda events: events[-1].after)


def filled() -> st.SearchStrategy[Checkout]:
    """Draw checkouts that are not empty."""
    return checkouts().filter(lambda checkout: bool(checkout.items))


def asked_again(item: CheckoutItem) -> ItemRequest:
    """Return the request that produces *item*."""
    validity = item.validity and (item.validity.start.isoformat(), item.validity.end.isoformat())
    return ItemRequest(
        item.id,
        item.variant,
        validity,
        parent=item.parent,
        originated_from=item.originated_from,
        person=item.person,
        discount_card=item.discount_card,
    )


_MOMENTS = st.one_of(
    st.text(max_size=4),
    st.datetimes().map(datetime.isoformat),
    st.dates().map(lambda day: day.isoformat()),
    st.datetimes().map(lambda moment: f"{moment.isoformat()}+14:00"),
    st.datetimes().map(lambda moment: f"{moment.isoformat()}-12:00"),
    st.sampled_from(("0001-01-01", "9999-12-31", "9999-12-31T23:59:59", "1900-01-01", "8999-12-31")),
)
_numbers = st.integers(0, 12) | st.integers()
anything = st.builds(
    ItemRequest,
    id=_numbers,
    variant=st.sampled_from((*_VARIANTS, 999)),
    validity=st.none() | st.tuples(_MOMENTS, _MOMENTS) | st.sampled_from(_VALIDITIES),
    parent=st.none() | _numbers,
    originated_from=st.none() | _numbers,
    person=st.none() | st.sampled_from((8, 9, 10)),
    discount_card=st.sampled_from((None, HALF_FARE, 99)),
)
"""Arbitrary requests, mostly invalid."""


@st.composite
def changed_catalogues(draw: DrawFn) -> Catalogue:
    """Draw consistent catalogues of the village without some products, media, fees or codes."""
    fees_gone = draw(st.integers(0, 5)) == 0
    media = () if fees_gone else VILLAGE.media[: draw(st.integers(0, 3))]
    there = {medium.id for medium in media}
    products = [
        replace(
            product,
            weather_guarantee=() if fees_gone else product.weather_guarantee[: draw(st.integers(0, 2))],
            media=tuple([medium for medium in product.media if medium in there]),
        )
        for product in VILLAGE.products
        if not (fees_gone if product.type is ProductType.FEE else draw(st.integers(0, 3)) == 0)
    ]
    return replace(
        VILLAGE,
        products=tuple(products),
        media=media,
        channels=tuple([channel for channel in VILLAGE.channels if not channel.products]),
        automatic_discounts=(),
        promo_codes=VILLAGE.promo_codes[: draw(st.integers(0, 3))],
    )
