"""The audit of a catalogue: random baskets whose prices are compared. Decisions §22."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from faregate.arguments.checks import whole
from faregate.audit.findings import Finding, FindingKind, cause_of, taken_off
from faregate.audit.price_rules import DAYS, unused_prices
from faregate.basket.lines import Cart
from faregate.catalogue.catalogue import Catalogue, reaches
from faregate.catalogue.channels import Channel
from faregate.checkout.model import Checkout, CheckoutItem
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.checkout.quotes import ItemQuoter
from faregate.dates.instants import Interval, in_utc
from faregate.discounts.eligibility import Context, not_now, selected
from faregate.discounts.kinds import (
    EVERYTHING,
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    PerUnit,
    PromoCode,
    Scope,
)
from faregate.errors import InvalidInput

Draw: TypeAlias = Callable[[int], int]
"""A source of random numbers: given n, it returns an int from 0 to n - 1."""

_Rule: TypeAlias = AutomaticDiscount | PromoCode
_T = TypeVar("_T")

_ANY = AutomaticDiscount(id=0, kind=PerUnit(1))
"""Stands for a basket that is not drawn for a rule."""

_EXTRA_TRIES = 200
"""Number of further baskets for a rule that the ordinary ones have not used."""

_TRIES, _MAX_UNITS = 50, 40


def audit(catalogue: Catalogue, *, at: datetime, draw: Draw, baskets: int = 1000) -> tuple[Finding, ...]:
    """Return the findings about *catalogue* at *at*, a timezone-aware datetime, sorted by identifier.

    Each of the random *baskets* is priced with one more unit, in two orders, with one more code, for more
    days and a day earlier. A finding is reported once, for the smallest basket that shows it. Savings of at
    most one minor unit per unit are rounding and are not reported. *draw* is the source of random numbers.

    >>> from datetime import UTC, datetime
    >>> from random import Random
    >>> from faregate import Percentage, PromoCode
    >>> catalogue = Catalogue(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),))
    >>> at = datetime(2026, 12, 1, tzinfo=UTC)
    >>> [finding.identifier for finding in audit(catalogue, at=at, draw=Random(1).randrange)]
    ['unreachable/code-TEN']

    Raises:
        InvalidInput: *baskets* is not a positive int, or *at* has no UTC offset.
    """
    number = whole(baskets, "baskets", InvalidInput, 1)
    zone = ZoneInfo(catalogue.merchants[0].timezone) if catalogue.merchants else UTC
    local = in_utc(at).astimezone(zone)
    search = _Search(catalogue, local, draw)
    search.run(number)
    names = [*search.unused, *unused_prices(catalogue, local)]
    unreachable = [Finding(kind=FindingKind.UNREACHABLE, identifier=f"unreachable/{name}") for name in names]
    return tuple(sorted((*search.found.values(), *unreachable), key=attrgetter("identifier")))


class _Order(NamedTuple):
    """One unit of each of *items*, bought together with *codes*."""

    items: tuple[CheckoutItem, ...]
    codes: tuple[str, ...] = ()


_Neighbour: TypeAlias = tuple[FindingKind, _Order, list[_Order]]
"""An order and the orders that replace it, which give at least as much: a finding if they cost less."""


class _Shop:
    """A channel at the instant *at*."""

    def __init__(self, catalogue: Catalogue, channel: Channel, at: datetime) -> None:
        self.catalogue, self.channel, self.at = catalogue, channel, at
        self.desk = ItemQuoter(channel=channel, catalogue=catalogue, at=at)
        zone = catalogue.zone_of_orders(channel) or at.tzinfo
        self.context = Context(at=at, channel=channel.uuid, zone=zone)

    def price(self, order: _Order) -> PricedCheckout:
        items = tuple([item._replace(id=n) for n, item in enumerate(order.items, start=1)])
        checkout = Checkout(self.channel.uuid, items, codes=order.codes)
        return price_checkout(checkout, catalogue=self.catalogue, at=self.at, zone=self.context.zone)

    def others(self, item: CheckoutItem, day: date) -> list[tuple[CheckoutItem, Interval]]:
        """Return the other tickets of the same variant and card from *day*, with their validities."""
        found = self.desk.bookable(item.variant, day, item.discount_card)
        return [(each, each.validity) for each in found if each.validity and each.validity != item.validity]


class _Search:
    """Random baskets: ``found`` has the findings about them, ``unused`` the rules that none has used."""

    def __init__(self, catalogue: Catalogue, at: datetime, draw: Draw) -> None:
        self._catalogue, self._at, self._draw = catalogue, at, draw
        rules: list[_Rule] = [*catalogue.automatic_discounts, *catalogue.promo_codes]
        self.found: dict[str, Finding] = {}
        self.unused = {_name_of(rule): rule for rule in rules if _is_due(rule, at)}
        self._codes = [rule.code for rule in self.unused.values() if isinstance(rule, PromoCode)]

    def run(self, baskets: int) -> None:
        examined = [_ANY, *self.unused.values()]
        for n in range(baskets):
            self._examine(examined[n % len(examined)])
        for rule in examined * _EXTRA_TRIES:
            if _name_of(rule) in self.unused:
                self._examine(rule)

    def _one_of(self, values: Sequence[_T]) -> _T:
        return values[self._draw(len(values))]

    def _examine(self, rule: _Rule) -> None:
        """Compare a random basket, in which *rule* may apply, with its neighbours."""
        shop = self._shop(rule)
        order = self._order(rule, shop) if shop else None
        if shop is None or order is None:
            return
        price = cache(shop.price)
        for kind, one, others in self._neighbours(order, shop):
            dearer, cheaper = price(one), tuple(map(price, others))
            for name in [*taken_off(dearer)]:
                self.unused.pop(name, None)
            name = f"{kind.value}/{cause_of(dearer, cheaper)}"
            finding = Finding(kind=kind, identifier=name, dearer=(dearer,), cheaper=cheaper)
            known = self.found.get(name, finding)
            is_smallest = (finding.units, -finding.saving) <= (known.units, -known.saving)
            if finding.saving > finding.units and is_smallest:  # up to a minor unit per unit is rounding
                self.found[name] = finding

    def _shop(self, rule: _Rule) -> _Shop | None:
        """Return a random channel at a random hour, in the week from its start, at which *rule* is valid."""
        begins = max(in_utc(self._at), in_utc(rule.conditions.starts_at or self._at))
        channels = [
            each
            for each in self._catalogue.channels
            if each.can_use_promo_codes or isinstance(rule, AutomaticDiscount)
        ]
        for _ in range(_TRIES if channels else 0):
            at = (begins + timedelta(hours=self._draw(7 * 24))).astimezone(self._at.tzinfo)
            shop = _Shop(self._catalogue, self._one_of(channels), at)
            if not_now(rule.conditions, shop.context) is None:
                return shop
        return None

    def _order(self, rule: _Rule, shop: _Shop) -> _Order | None:
        """Return random units of each scope of *rule*, if possible on one day, or None if one is not sold."""
        groups: list[list[CheckoutItem]] = []
        day = None
        for scope in [*_scopes_of(rule), EVERYTHING][: -1 if self._draw(4) else None]:
            item = self._ticket(scope, shop, day)
            if item is None:
                return None
            day = item.validity.first_day if item.validity else day
            groups.append([item] * self._one_of(range(1, self._one_of((2, 4, 13, _MAX_UNITS)))))
        first = self._draw(len(groups))
        items = tuple([item for group in groups[first:] + groups[:first] for item in group][:_MAX_UNITS])
        if not self._codes or not shop.channel.can_use_promo_codes:
            return _Order(items)
        code = rule.code if isinstance(rule, PromoCode) else self._one_of(self._codes)
        return _Order(items, (code, self._one_of(self._codes)))

    def _ticket(self, scope: Scope, shop: _Shop, wanted: date | None) -> CheckoutItem | None:
        """Return a random ticket in *scope*, on the day *wanted* if possible, or None if none was found."""
        products, today = self._catalogue.products, shop.at.date()
        sold = [each.id for product in products for each in product.variants if reaches(scope, product, each)]
        cards = [None, None, *(card.id for card in self._catalogue.discount_cards)]
        days = _days_in(scope, today)
        for attempt in range(_TRIES if sold and days else 0):
            day = wanted if wanted and attempt % 2 else self._one_of(days)
            card = self._one_of(sorted(scope.discount_cards) or cards)
            tickets = shop.desk.bookable(self._one_of(sold), day, card)
            ticket = self._one_of(tickets) if tickets else None
            request = shop.price(_Order((ticket,))).totals.request if ticket else None
            if request and selected(scope, Cart.of(request.lines), [0], request.context):
                return ticket
        return None

    def _neighbours(self, order: _Order, shop: _Shop) -> Iterator[_Neighbour]:
        """Yield the neighbours of *order* and of its parts: of fewer units, of fewer codes, of one ticket.

        Codes are left out unless they are compared, because each of several orders could use them.
        """
        items, entered = order
        for n in range(1, len(items)):
            yield FindingKind.ONE_MORE, _Order(items[:n]), [_Order(items[: n + 1])]
        half = len(items) // 2
        for parts in ((items[::2], items[1::2]), (items[:half], items[half:])):
            yield FindingKind.SPLIT, _Order(items), [_Order(part) for part in parts if part]
        for codes in (entered[:1], entered):
            for code in codes:
                others = tuple([other for other in codes if other != code])
                yield FindingKind.CODE, _Order(items, codes), [_Order(items, others)]
        for kind in (FindingKind.MORE_DAYS, FindingKind.DAY_EARLIER) * 2:
            cover = self._cover(items[0], kind, shop)
            if cover:
                replaced = [_Order((item,)) for item in cover]
                yield FindingKind.SPLIT if len(cover) > 1 else kind, _Order(items[:1]), replaced

    def _cover(self, item: CheckoutItem, kind: FindingKind, shop: _Shop) -> list[CheckoutItem]:
        """Return random other tickets, from the same day or a day earlier, that cover *item* together."""
        cover: list[CheckoutItem] = []
        if item.validity is None:
            return cover
        now, end = item.validity
        day = now.date() - timedelta(days=kind is FindingKind.DAY_EARLIER)
        while now < end:
            others = [each for each in shop.others(item, day) if each[1].end > now >= each[1].start]
            if not others or len(cover) == _MAX_UNITS:
                return []
            ticket, (_, now) = self._one_of(others)
            cover.append(ticket)
            day = now.date()
        return cover


def _name_of(rule: _Rule) -> str:
    return f"code-{rule.code}" if isinstance(rule, PromoCode) else f"discount-{rule.id}"


def _is_due(rule: _Rule, at: datetime) -> bool:
    """Return False if *rule* is history, or for customers that only another system knows."""
    conditions, days = rule.conditions, rule.scope.days
    is_over = conditions.ends_at and in_utc(conditions.ends_at) <= in_utc(at)
    is_used_up = isinstance(rule, PromoCode) and rule.is_used_up
    is_personal = conditions.accounts or conditions.customer_groups
    return not (is_over or is_used_up or is_personal or (days and days.end <= at.date()))


def _scopes_of(rule: _Rule) -> list[Scope]:
    scopes = [rule.scope, *(threshold.counting for threshold in rule.conditions.thresholds)]
    match rule.kind:
        case Bundle(parts=parts):
            scopes += [part.scope for part in parts]
        case BuyXGetY(rewards=Scope() as rewards):
            scopes.append(rewards)
    return scopes


def _days_in(scope: Scope, today: date) -> list[date]:
    """Return the days that *scope* admits, regardless of weekdays."""
    first, last = scope.min_lead_days or 0, scope.max_lead_days or len(DAYS)
    if scope.days:
        first = max(first, (scope.days.start - today).days)
        last = min(last, (scope.days.end - today).days - 1)
    return [today + timedelta(days=n) for n in range(first, min(last, first + len(DAYS)) + 1)]
