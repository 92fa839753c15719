"""Requests for new items, which are checked against the catalogue and the checkout, then quoted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.pools import NOTHING_TAKEN, Capacity
from faregate.checkout.admission import age_issues
from faregate.checkout.item_tree import parent_issues
from faregate.checkout.model import FIRST_SERVICE_ID, Checkout, CheckoutItem, Quote
from faregate.checkout.quotes import ItemQuoter, sold_as, zone_of
from faregate.checkout.subscriptions import subscription_conflicts
from faregate.dates.instants import YEARS, Interval, in_utc, parse_interval
from faregate.errors import (
    CheckoutConflict,
    InvalidCheckout,
    InvalidPeriod,
    Issue,
    IssueCode,
    Issues,
    UnknownEntry,
)

NOBODY: Mapping[int, Mapping[str, object]] = MappingProxyType({})
"""An empty mapping of persons, for a checkout without an account."""

MAX_ITEMS = 500
"""Maximum number of items per checkout, children included."""


@public_value
class ItemRequest(NamedTuple):
    """A request to add one unit to a checkout.

    ``validity`` is a pair of ISO 8601 dates or date-times. ``parent`` and ``originated_from`` may refer to
    an item that is requested in the same call.
    """

    id: int
    variant: int
    validity: tuple[str, str] | None = None
    parent: int | None = None
    originated_from: int | None = None
    person: int | None = None
    discount_card: int | None = None


def new_items(
    checkout: Checkout,
    requests: Sequence[ItemRequest],
    *,
    catalogue: Catalogue,
    at: datetime,
    persons: Mapping[int, Mapping[str, object]] = NOBODY,
    sold: Capacity = NOTHING_TAKEN,
) -> list[CheckoutItem]:
    """Return the requested items that are not yet in *checkout*, quoted at the instant *at*.

    Raises:
        InvalidCheckout: lists all requests that no checkout could accept, or there are too many items.
        CheckoutConflict: lists all requests that this checkout cannot accept.
    """
    channel = catalogue.channel(checkout.channel)
    present = {item.id: item for item in checkout.items}
    unheld = sum(request.id not in present for request in requests)
    check_room(max(len(requests), len(present) + unheld))
    issues, conflicts = Issues(_id_issues(requests)), Issues()
    new: dict[int, CheckoutItem] = {}
    offers = _Offers(channel, catalogue, at, sold)
    for index, request in enumerate(requests):
        item, unread, unsold = offers.find(request)
        existing = present.get(request.id)
        if existing is not None and not unread and _is_same(item, existing):
            continue
        if existing is not None:
            message = f"item {request.id} already exists with different content"
            conflicts.add(("items", index, "id"), message, IssueCode.ID_TAKEN)
        else:
            new[index] = item
            if request.id in checkout.removed:
                conflicts.add(("items", index, "id"), f"item {request.id} was removed", IssueCode.ID_USED)
        issues += [issue.inside("items", index) for issue in (*unread, *unsold)]
    issues += _reference_issues(checkout, new, persons)
    issues += age_issues(new.items(), persons, catalogue=catalogue, at=at)
    items, indices = list(new.values()), list(new)
    issues += _of_requests(subscription_conflicts(checkout.items, items, catalogue), indices)
    _in_order(issues).check(InvalidCheckout)
    conflicts += _of_requests(exclusive_conflicts(checkout.items, items, catalogue), indices)
    _in_order(conflicts).check(CheckoutConflict)
    return items


def _of_requests(issues: Iterable[Issue], indices: Sequence[int]) -> Iterator[Issue]:
    """Yield *issues* about new items, located at their requests; ``indices[i]`` is the request of item i."""
    for issue in issues:
        position, field = issue.loc
        yield issue._replace(loc=("items", indices[int(position)], field))


def _in_order(issues: Iterable[Issue]) -> Issues:
    return Issues(sorted(issues, key=lambda issue: issue.loc[1:2]))


def check_room(items: int) -> None:
    """Check that *items*, the number of items in a checkout, is allowed.

    Raises:
        InvalidCheckout: the number exceeds ``MAX_ITEMS``.
    """
    if items > MAX_ITEMS:
        message = f"a checkout can have at most {MAX_ITEMS} items, got {items}"
        raise InvalidCheckout(Issue(("items",), message, IssueCode.TOO_MANY_ITEMS))


def _at(index: int, field: str, message: str, code: IssueCode = IssueCode.INVALID) -> Issue:
    return Issue(("items", index, field), message, code)


def _id_issues(requests: Iterable[ItemRequest]) -> Iterator[Issue]:
    seen: set[int] = set()
    for index, request in enumerate(requests):
        if not 1 <= request.id < FIRST_SERVICE_ID:
            yield _at(index, "id", f"expected a number from 1 to {FIRST_SERVICE_ID - 1}, got {request.id}")
        if request.id in seen:
            yield _at(index, "id", f"{request.id} is used twice in this request")
        seen.add(request.id)


class _Offer(NamedTuple):
    """The offer for a request: ``unread`` lists invalid values, and ``unsold`` lists obstacles to a sale."""

    validity: Interval | None
    quote: Quote | None
    unread: tuple[Issue, ...]
    unsold: tuple[Issue, ...]


class _Offers:
    """The offers for the requests of one call; equal requests share an offer."""

    def __init__(self, channel: Channel, catalogue: Catalogue, at: datetime, sold: Capacity) -> None:
        self._catalogue = catalogue
        self._desk = ItemQuoter(channel=channel, catalogue=catalogue, at=at, sold=sold)
        self._offers: dict[tuple[object, ...], _Offer] = {}
        self._validities: dict[tuple[tuple[str, str], ZoneInfo], Interval | Issue] = {}

    def find(self, request: ItemRequest) -> tuple[CheckoutItem, tuple[Issue, ...], tuple[Issue, ...]]:
        """Return the item for *request*, quoted if possible, and the ``unread`` and ``unsold`` issues."""
        item_id, variant, validity, parent, origin, person, card = request
        alike = variant, validity, parent is None, card
        offer = self._offers.get(alike)
        if offer is None:
            offer = self._offers[alike] = self._offer(request)
        item = CheckoutItem(
            item_id, variant, offer.validity, parent, card, person, origin, None, None, offer.quote
        )
        return item, offer.unread, offer.unsold

    def _offer(self, request: ItemRequest) -> _Offer:
        validity, unread = self._read(request)
        item = CheckoutItem(0, request.variant, validity, request.parent, request.discount_card)
        quoted = self._desk.quote_bookable(item)
        if isinstance(quoted, Quote):
            return _Offer(validity, quoted, unread, ())
        told = {issue.loc for issue in unread}
        return _Offer(validity, None, unread, tuple(issue for issue in quoted if issue.loc not in told))

    def _read(self, request: ItemRequest) -> tuple[Interval | None, tuple[Issue, ...]]:
        """Return the validity period of *request* (None if missing or invalid) and any issues found in it."""
        try:
            zone = zone_of(self._catalogue.variant(request.variant)[0], self._catalogue)
        except UnknownEntry as error:
            return None, (Issue(("variant",), str(error), IssueCode.UNKNOWN_VARIANT),)
        if request.validity is None:
            return None, ()
        period = request.validity, zone
        if period not in self._validities:
            self._validities[period] = _validity(*request.validity, zone)
        validity = self._validities[period]
        return (None, (validity,)) if isinstance(validity, Issue) else (validity, ())


def _validity(start: str, end: str, zone: ZoneInfo) -> Interval | Issue:
    try:
        interval = parse_interval(start, end, zone)
    except InvalidPeriod as error:
        return Issue(("validity",), str(error), IssueCode.INVALID_VALIDITY)
    if interval.start.year in YEARS and interval.end.year in YEARS:
        return interval
    message = f"expected years from {YEARS[0]} to {YEARS[-1]}"
    return Issue(("validity",), message, IssueCode.INVALID_VALIDITY)


def _is_same(asked: CheckoutItem, existing: CheckoutItem) -> bool:
    """Return True if *asked* equals *existing* apart from the quote; instants are compared in UTC."""
    return _in_utc(asked) == _in_utc(existing)


def _in_utc(item: CheckoutItem) -> CheckoutItem:
    validity = item.validity and Interval(in_utc(item.validity.start), in_utc(item.validity.end))
    return item._replace(validity=validity, quote=None)


def _reference_issues(
    checkout: Checkout, new: Mapping[int, CheckoutItem], persons: Collection[int]
) -> Iterator[Issue]:
    """Yield an issue for each invalid parent, origin or person to which a new item refers."""
    present = {item.id: item for item in checkout.items}
    ids = {*present, *(item.id for item in new.values())}
    indices = list(new)
    for issue in parent_issues([*checkout.items, *new.values()]):
        position = int(issue.loc[0]) - len(checkout.items)
        if position >= 0:
            yield issue._replace(loc=("items", indices[position], "parent"))
    for index, item in new.items():
        if item.parent in present and present[item.parent].component is not None:
            yield _at(index, "parent", f"item {item.parent} is a fee and cannot have children")
        origin = item.originated_from
        if origin is not None and (origin not in ids or origin == item.id):
            message = f"there is no other item {origin}"
            yield _at(index, "originated_from", message, IssueCode.UNKNOWN_ITEM)
        if item.person is not None and item.person not in persons:
            message = f"person {item.person} does not belong to the account of this checkout"
            yield _at(index, "person", message, IssueCode.UNKNOWN_PERSON)


def exclusive_conflicts(
    present: Sequence[CheckoutItem], new: Sequence[CheckoutItem], catalogue: Catalogue
) -> Iterator[Issue]:
    """Yield issues for new items that exceed a limit of one per checkout, or one per person and period.

    The ``loc`` of an issue consists of an index in *new* and the name of a field.
    """
    variants: set[int] = set()
    tickets: dict[tuple[int, int], list[CheckoutItem]] = {}
    for index, item in enumerate((*present, *new), start=-len(present)):
        product = sold_as(item, catalogue)
        if product is None:
            continue
        if index >= 0 and product.is_unique_item and item.variant in variants:
            message = f"variant {item.variant} can be in a checkout only once"
            yield Issue((index, "variant"), message, IssueCode.UNIQUE_ITEM)
        variants.add(item.variant)
        if item.person is None or not product.is_max_one_ticket_per_person:
            continue
        held = tickets.setdefault((product.id, item.person), [])
        if index >= 0 and any(_overlap(item.validity, other.validity) for other in held):
            message = f"person {item.person} already has a ticket of product {product.id} for that time"
            yield Issue((index, "person"), message, IssueCode.ONE_PER_PERSON)
        held.append(item)


def _overlap(one: Interval | None, other: Interval | None) -> bool:
    """Return True if two validity periods overlap; None overlaps with every period."""
    if one is None or other is None:
        return True
    return in_utc(one.start) < in_utc(other.end) and in_utc(other.start) < in_utc(one.end)
