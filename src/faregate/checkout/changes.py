"""Changes to a checkout: pure functions that take a checkout and a request and return the new checkout.

Only new items are priced here. An impossible change raises an error that lists every issue; a change that
has already been made returns the same checkout. Decisions §11.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from faregate.arguments.checks import rows
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import NOTHING_TAKEN, Capacity
from faregate.checkout.code_limits import promo_code_of
from faregate.checkout.item_requests import (
    NOBODY,
    ItemRequest,
    check_room,
    exclusive_conflicts,
    new_items,
)
from faregate.checkout.item_tree import parents_first, with_descendants
from faregate.checkout.model import (
    FIRST_SERVICE_ID,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    Quote,
)
from faregate.checkout.quotes import ItemQuoter, sold_as
from faregate.checkout.surcharges import with_components
from faregate.discounts.kinds import PromoCode, normalize_code
from faregate.errors import (
    CheckoutConflict,
    InvalidCheckout,
    Issue,
    IssueCode,
    Issues,
    UnknownEntry,
    UnknownItems,
)

MAX_CODES = 50
"""Maximum number of codes per checkout."""


def check_units(checkout: Checkout, before: Checkout, *, catalogue: Catalogue) -> None:
    """Check that a checkout without an account does not have too many units for a public channel.

    Components do not count as units. A checkout with no more units than *before* always passes.

    Raises:
        InvalidCheckout: the checkout has more units than the channel's ``max_units``.
    """
    channel = catalogue.channel(checkout.channel)
    units = units_of(checkout)
    if channel.is_protected or checkout.account is not None:
        return
    if units > max(channel.max_units, units_of(before)):
        message = f"a checkout without an account has at most {channel.max_units} units, got {units}"
        raise InvalidCheckout(Issue(("items",), message, IssueCode.TOO_MANY_UNITS))


def units_of(checkout: Checkout) -> int:
    """Return the number of items that are not components of other items."""
    return sum([item.component is None for item in checkout.items])


def add_items(
    checkout: Checkout,
    requests: Sequence[ItemRequest],
    *,
    catalogue: Catalogue,
    at: datetime,
    persons: Mapping[int, Mapping[str, object]] = NOBODY,
    sold: Capacity = NOTHING_TAKEN,
) -> Checkout:
    """Add one item per request, parents before children, each at its list price at the instant *at*.

    A request that repeats an item of the checkout adds nothing. *persons* maps the id of each person in the
    account to that person's answers. STEPPED prices depend on *sold*, the usage of each pool. Capacity is
    checked separately, by ``check_capacity``.

    Raises:
        InvalidCheckout: lists all requests that no checkout could accept.
        CheckoutConflict: lists all requests that this checkout cannot accept: the id is in use or was
            removed, or the product can be sold only once.
    """
    requests = rows("requests", requests, InvalidCheckout, (ItemRequest,))
    added = new_items(checkout, requests, catalogue=catalogue, at=at, persons=persons, sold=sold)
    if not added:
        return checkout
    grown = replace(checkout, items=(*checkout.items, *parents_first(added)))
    return _settled(grown, catalogue, at)


def remove_items(checkout: Checkout, ids: Collection[int], *, catalogue: Catalogue) -> Checkout:
    """Remove the items with *ids* and all their descendants.

    Raises:
        UnknownItems: the checkout lacks some of the items; nothing is removed.
        CheckoutConflict: some items cannot be removed, or can be removed only with their parent.
    """
    present = {item.id: item for item in checkout.items}
    unknown = sorted(set(ids) - set(present))
    if unknown:
        raise UnknownItems(*unknown)
    gone = with_descendants(ids, checkout.items)
    conflicts = Issues(
        Issue(("items", item_id), f"item {item_id} cannot be removed", IssueCode.NOT_DELETABLE)
        for item_id in sorted(set(ids))
        if present[item_id].parent not in gone and not is_deletable(present[item_id], catalogue)
    )
    conflicts.check(CheckoutConflict)
    return _without(checkout, ids)


def change_quantity(
    checkout: Checkout,
    item_id: int,
    delta: int,
    *,
    catalogue: Catalogue,
    at: datetime,
    sold: Capacity = NOTHING_TAKEN,
) -> Checkout:
    """Add *delta* copies of an item or, if *delta* is negative, remove copies, the newest first.

    The item itself is removed last. A copy has the variant, validity, discount card, parent and medium of the
    item, no person, and the list price at the instant *at*.

    Raises:
        UnknownItems: the item does not exist.
        InvalidCheckout: *delta* is 0, would remove more units than there are, or would exceed the
            maximum number of items; or the item is no longer for sale.
        CheckoutConflict: the item is a component of its parent, cannot be removed, or is sold only once.
    """
    item = next((item for item in checkout.items if item.id == item_id), None)
    if item is None:
        raise UnknownItems(item_id)
    if delta == 0:
        raise InvalidCheckout(Issue(("delta",), "expected a number other than 0", IssueCode.INVALID_DELTA))
    if item.component is not None:
        message = f"item {item_id} belongs to item {item.parent}: change that item instead"
        raise CheckoutConflict(Issue(("delta",), message, IssueCode.NOT_DELETABLE))
    if delta < 0:
        return _fewer(checkout, item, -delta, catalogue)
    try:
        return _more(checkout, item, delta, catalogue, at, sold)
    except InvalidCheckout as error:
        raise InvalidCheckout(*[issue._replace(loc=("delta",)) for issue in error.issues]) from error


def set_conditions(
    checkout: Checkout, conditions: CheckoutConditions, *, catalogue: Catalogue, at: datetime
) -> Checkout:
    """Replace the customer's answers with *conditions*, and update the child items that depend on them.

    Raises:
        InvalidCheckout: the donation is negative, or a medium is chosen for an item that does not exist or
            is not issued on that medium.
    """
    if conditions == checkout.conditions:
        return checkout
    issues = Issues(_medium_issues(checkout, conditions, catalogue))
    if (conditions.donation or 0) < 0:
        issues.add(("donation",), f"expected at least 0, got {conditions.donation}")
    issues.check(InvalidCheckout)
    return _settled(replace(checkout, conditions=conditions), catalogue, at)


def add_code(
    checkout: Checkout, code: str, *, catalogue: Catalogue, outside: Sequence[PromoCode] = ()
) -> Checkout:
    """Add a promo code or a voucher; adding a code again changes nothing.

    *outside* holds promo codes that do not come from the catalogue.

    Raises:
        InvalidCheckout: the code is unknown, the channel does not accept codes of its type (promo code or
            voucher), or there are too many codes.
    """
    entered = normalize_code(code)
    if entered in checkout.codes:
        return checkout
    channel = catalogue.channel(checkout.channel)
    message, refused = "", IssueCode.UNKNOWN_CODE
    promo_code = promo_code_of(entered, catalogue, outside)
    if promo_code is not None:
        if not channel.can_use_promo_codes:
            message, refused = "promo codes are not accepted here", IssueCode.PROMO_CODES_NOT_ACCEPTED
    elif catalogue.voucher(entered) is None:
        message = "unknown code"
    elif not channel.can_use_vouchers:
        message, refused = "vouchers are not accepted here", IssueCode.VOUCHERS_NOT_ACCEPTED
    if not message and len(checkout.codes) >= MAX_CODES:
        message, refused = f"a checkout can have at most {MAX_CODES} codes", IssueCode.TOO_MANY_CODES
    if message:
        raise InvalidCheckout(Issue(("code",), message, refused))
    changed = replace(checkout, codes=(*checkout.codes, entered))
    if promo_code is None or catalogue.promo_code(entered) is not None:
        return changed
    return replace(changed, promo_codes=(*checkout.promo_codes, promo_code))


def enter_code(
    checkout: Checkout, code: str, *, catalogue: Catalogue, outside: Sequence[PromoCode] = ()
) -> Checkout:
    """Add a code entered by a customer; a code that the channel does not accept is reported as unknown.

    Raises:
        InvalidCheckout: as in ``add_code``; for codes not accepted on this channel, with ``UNKNOWN_CODE``.
    """
    promo_code = promo_code_of(code, catalogue, outside)
    channels = frozenset() if promo_code is None else promo_code.conditions.channels
    if channels and checkout.channel not in channels:
        raise _unknown_code()
    try:
        return add_code(checkout, code, catalogue=catalogue, outside=outside)
    except InvalidCheckout as error:
        if error.issues[0].code in _OF_UNKNOWN_CODES:
            raise _unknown_code() from None
        raise


_OF_UNKNOWN_CODES = frozenset(
    {IssueCode.UNKNOWN_CODE, IssueCode.PROMO_CODES_NOT_ACCEPTED, IssueCode.VOUCHERS_NOT_ACCEPTED}
)


def _unknown_code() -> InvalidCheckout:
    return InvalidCheckout(Issue(("code",), "unknown code", IssueCode.UNKNOWN_CODE))


def remove_code(checkout: Checkout, code: str) -> Checkout:
    """Remove a promo code or a voucher.

    Raises:
        UnknownEntry: the checkout does not have the code.
    """
    entered = normalize_code(code)
    if entered not in checkout.codes:
        raise UnknownEntry("code", entered)
    return replace(
        checkout,
        codes=tuple([kept for kept in checkout.codes if kept != entered]),
        promo_codes=tuple([kept for kept in checkout.promo_codes if kept.code != entered]),
    )


def bind_account(
    checkout: Checkout, account: int, *, customer_groups: frozenset[str] = frozenset()
) -> Checkout:
    """Bind the checkout to *account* and its *customer_groups*, unless it belongs to another account."""
    bound = account, customer_groups
    if checkout.account not in (None, account) or bound == (checkout.account, checkout.customer_groups):
        return checkout
    return replace(checkout, account=account, customer_groups=customer_groups)


def is_deletable(item: CheckoutItem, catalogue: Catalogue) -> bool:
    """Return False if *item* is a component, or if the catalogue forbids removing it; otherwise True."""
    if item.component is not None:
        return False
    product = sold_as(item, catalogue)
    return product is None or product.is_deletable


def _settled(checkout: Checkout, catalogue: Catalogue, at: datetime) -> Checkout:
    """Return *checkout* with exactly the components that it requires; raise if there are too many items."""
    settled = with_components(checkout, catalogue=catalogue, at=at)
    check_room(len(settled.items))
    return settled


def _without(checkout: Checkout, ids: Iterable[int]) -> Checkout:
    gone = with_descendants(ids, checkout.items)
    media = tuple([choice for choice in checkout.conditions.media if choice[0] not in gone])
    return replace(
        checkout,
        items=tuple([item for item in checkout.items if item.id not in gone]),
        conditions=replace(checkout.conditions, media=media),
        removed=checkout.removed | {item_id for item_id in gone if item_id < FIRST_SERVICE_ID},
    )


def _fewer(checkout: Checkout, item: CheckoutItem, number: int, catalogue: Catalogue) -> Checkout:
    original = item.copy_of or item.id
    group = [other.id for other in checkout.items if original in (other.id, other.copy_of)]
    if number > len(group):
        message = f"expected to remove at most {len(group)} units, got {number}"
        raise InvalidCheckout(Issue(("delta",), message, IssueCode.INVALID_DELTA))
    if not is_deletable(item, catalogue):
        message = f"item {item.id} cannot be removed"
        raise CheckoutConflict(Issue(("delta",), message, IssueCode.NOT_DELETABLE))
    # Ids assigned by the service only grow and are greater than all client ids.
    return _without(checkout, sorted(group)[-number:])


def _more(
    checkout: Checkout,
    item: CheckoutItem,
    number: int,
    catalogue: Catalogue,
    at: datetime,
    sold: Capacity,
) -> Checkout:
    check_room(len(checkout.items) + number)
    channel = catalogue.channel(checkout.channel)
    desk = ItemQuoter(channel=channel, catalogue=catalogue, at=at, sold=sold)
    quoted = desk.quote_bookable(item)
    if not isinstance(quoted, Quote):
        raise InvalidCheckout(*quoted)
    template = item._replace(person=None, originated_from=None, copy_of=item.copy_of or item.id, quote=quoted)
    copies = [template._replace(id=checkout.next_id + n) for n in range(number)]
    conflicts = list(exclusive_conflicts(checkout.items, copies, catalogue))
    if conflicts:
        raise CheckoutConflict(conflicts[0]._replace(loc=("delta",)))
    conditions = checkout.conditions
    medium = dict(conditions.media).get(item.id)
    if medium is not None:
        choices = [(copy.id, medium) for copy in copies]
        conditions = replace(conditions, media=(*conditions.media, *choices))
    grown = replace(
        checkout, items=(*checkout.items, *copies), conditions=conditions, next_id=checkout.next_id + number
    )
    return _settled(grown, catalogue, at)


def _medium_issues(
    checkout: Checkout, conditions: CheckoutConditions, catalogue: Catalogue
) -> Iterator[Issue]:
    present = {item.id: item for item in checkout.items if item.component is None}
    for item_id, medium in conditions.media:
        loc = "media", item_id
        if item_id not in present:
            yield Issue(loc, f"there is no item {item_id}", IssueCode.UNKNOWN_ITEM)
            continue
        try:
            product, _ = catalogue.variant(present[item_id].variant)
        except UnknownEntry as error:
            yield Issue(loc, f"item {item_id}: {error}", IssueCode.UNKNOWN_VARIANT)
            continue
        if medium not in product.media:
            yield Issue(loc, f"item {item_id} is not issued on medium {medium}", IssueCode.UNKNOWN_MEDIUM)
