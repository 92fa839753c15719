"""The audit of a catalogue: random baskets whose prices are compared. Decisions §22."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, partial
from itertools import product as combinations
from operator import attrgetter
from typing import TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from faregate.arguments.checks import whole
from faregate.audit.findings import Finding, FindingKind, cause_of, taken_off
from faregate.basket.lines import Cart
from faregate.catalogue.catalogue import Catalogue, reaches
from faregate.catalogue.channels import Channel
from faregate.catalogue.price_rules import PriceRule
from faregate.checkout.model import Checkout, CheckoutItem
from faregate.checkout.priced import price_checkout
from faregate.checkout.quotes import ItemQuoter
from faregate.dates.instants import DateRange, in_utc
from faregate.discounts.eligibility import Context, not_now, scopes_of, selected
from faregate.discounts.kinds import EVERYTHING, AutomaticDiscount, PerUnit, PromoCode, Scope
from faregate.errors import InvalidInput

Draw: TypeAlias = Callable[[int], int]
"""A source of random numbers: given n, it returns an int from 0 to n - 1."""

_Rule: TypeAlias = AutomaticDiscount | PromoCode
_T = TypeVar("_T")

_ANY = AutomaticDiscount(id=0, kind=PerUnit(1))
"""Stands for a basket that is not drawn for a rule."""

_EXTRA_TRIES = 100
"""Number of further baskets for a rule that the ordinary ones have not used."""

_DAYS = [timedelta(days=n) for n in range(400)]
"""The days of tickets, from that of the audit: more than a year, so that every yearly day is included."""

_TRIES, _MAX_UNITS = 30, 40
_SIZES = (2, 2, 3, 3, 5, 5, 13, 13, _MAX_UNITS)


def audit(catalogue: Catalogue, *, at: datetime, draw: Draw, baskets: int = 1000) -> tuple[Finding, ...]:
    """Return the findings about *catalogue* at *at*, a timezone-aware datetime, sorted by identifier.

    Each of the random *baskets* is priced with one more unit, in two orders, with one more code, for more
    days and a day earlier. A finding is reported once, for the smallest basket that shows it. Savings of at
    most one minor unit per unit are rounding and are not reported. *draw* is the source of random numbers,
    such as ``Random(1).randrange``.

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
    zone = ZoneInfo(catalogue.merchants[0].timezone) if catalogue.merchants else UTC
    local = in_utc(at).astimezone(zone)
    search = _Search(catalogue, local, draw)
    search.run(whole(baskets, "baskets", InvalidInput, 1))
    names = [*search.unused, *_unused_prices(catalogue, local)]
    unreachable = [Finding(kind=FindingKind.UNREACHABLE, identifier=f"unreachable/{name}") for name in names]
    return tuple(sorted((*search.found.values(), *unreachable), key=attrgetter("identifier")))


_Neighbour: TypeAlias = tuple[FindingKind, Checkout, list[Checkout]]
"""A basket and the baskets that replace it, which give at least as much: a finding if they cost less."""


class _Shop:
    """A channel at the instant *at*."""

    def __init__(self, catalogue: Catalogue, channel: Channel, at: datetime) -> None:
        zone = catalogue.zone_of_orders(channel) or at.tzinfo
        self.channel, self.today = channel, at.date()
        self.context = Context(at=at, channel=channel.uuid, zone=zone)
        self.desk = ItemQuoter(channel=channel, catalogue=catalogue, at=at)
        self.price = cache(partial(price_checkout, catalogue=catalogue, at=at, zone=zone))

    def basket(self, *items: CheckoutItem, codes: tuple[str, ...] = ()) -> Checkout:
        return Checkout(self.channel.uuid, items, codes=codes)


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
        items = self._items(rule, shop) if shop else []
        if shop is None or not items:
            return
        whole_basket = shop.basket(*items, codes=self._some_codes(rule, shop))
        for kind, one, others in self._neighbours(whole_basket, shop):
            dearer, cheaper = shop.price(one), tuple(map(shop.price, others))
            for name in +taken_off(dearer):
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
        channels = self._catalogue.channels
        for _ in range(_TRIES if channels else 0):
            at = (begins + timedelta(hours=self._draw(7 * 24))).astimezone(self._at.tzinfo)
            shop = _Shop(self._catalogue, self._one_of(channels), at)
            is_accepted = shop.channel.can_use_promo_codes or isinstance(rule, AutomaticDiscount)
            if is_accepted and not_now(rule.conditions, shop.context) is None:
                return shop
        return None

    def _some_codes(self, rule: _Rule, shop: _Shop) -> tuple[str, ...]:
        if not self._codes or not shop.channel.can_use_promo_codes:
            return ()
        first = rule.code if isinstance(rule, PromoCode) else self._one_of(self._codes)
        return first, self._one_of(self._codes)

    def _items(self, rule: _Rule, shop: _Shop) -> list[CheckoutItem]:
        """Return random units of each scope of *rule*, if possible on one day; empty if one is not sold."""
        groups: list[list[CheckoutItem]] = []
        day = None
        for scope in [*scopes_of(rule), EVERYTHING][: -1 if self._draw(4) else None]:
            item = self._ticket(scope, shop, day)
            if item is None:
                return []
            day = item.validity.first_day if item.validity else day
            groups.append([item] * self._one_of(range(1, self._one_of(_SIZES))))
        first = self._draw(len(groups))
        items = [item for group in groups[first:] + groups[:first] for item in group]
        return [item._replace(id=n) for n, item in enumerate(items[:_MAX_UNITS], start=1)]

    def _ticket(self, scope: Scope, shop: _Shop, wanted: date | None) -> CheckoutItem | None:
        """Return a random ticket in *scope*, on the day *wanted* if possible, or None if none was found."""
        products, today = self._catalogue.products, shop.today
        sold = [each.id for product in products for each in product.variants if reaches(scope, product, each)]
        cards = [None, None, *(card.id for card in self._catalogue.discount_cards)]
        days = scope.days or DateRange(today, today + _DAYS[-1])
        most = len(_DAYS) if scope.max_lead_days is None else scope.max_lead_days
        leads = _DAYS[scope.min_lead_days or 0 : most + 1]
        ahead = [each for each in leads if days.start <= today + each < days.end]
        for attempt in range(_TRIES if sold and ahead else 0):
            day = wanted if wanted and attempt % 2 else today + self._one_of(ahead)
            card = self._one_of(sorted(scope.discount_cards) or cards)
            tickets = shop.desk.bookable(self._one_of(sold), day, card)
            ticket = self._one_of(tickets) if tickets else None
            request = shop.price(shop.basket(ticket)).totals.request if ticket else None
            if request and selected(scope, Cart.of(request.lines), [0], request.context):
                return ticket
        return None

    def _neighbours(self, whole_basket: Checkout, shop: _Shop) -> Iterator[_Neighbour]:
        """Yield the neighbours of a basket and of its parts: of fewer units, of fewer codes, of one ticket.

        Codes are left out unless they are compared, because each of several orders could use them.
        """
        items, entered, basket = whole_basket.items, whole_basket.codes, shop.basket
        for n in range(1, len(items)):
            yield FindingKind.ONE_MORE, basket(*items[:n]), [basket(*items[: n + 1])]
        half = len(items) // 2
        for parts in ((items[::2], items[1::2]), (items[:half], items[half:])):
            yield FindingKind.SPLIT, basket(*items), [basket(*part) for part in parts if part]
        for codes in (entered[:1], entered):
            for code in codes:
                others = tuple([other for other in codes if other != code])
                yield FindingKind.CODE, basket(*items, codes=codes), [basket(*items, codes=others)]
        for ticket in (items[0], self._ticket(EVERYTHING, shop, None) or items[0]):
            for kind in (FindingKind.MORE_DAYS, FindingKind.DAY_EARLIER):
                cover = [basket(other) for other in self._cover(ticket, kind, shop)]
                if cover:
                    yield FindingKind.SPLIT if len(cover) > 1 else kind, basket(ticket), cover

    def _cover(self, item: CheckoutItem, kind: FindingKind, shop: _Shop) -> list[CheckoutItem]:
        """Return random other tickets, from the same day or a day earlier, that cover *item* together."""
        cover: list[CheckoutItem] = []
        now, end = item.validity or (self._at, self._at)
        day = now.date() - timedelta(days=kind is FindingKind.DAY_EARLIER)
        while now < end:
            others = [
                (each, period.end)
                for each in shop.desk.bookable(item.variant, day, item.discount_card)
                if (period := each.validity) and period != item.validity and period.start <= now < period.end
            ]
            if not others or len(cover) == _MAX_UNITS:
                return []
            ticket, now = self._one_of(others)
            cover.append(ticket)
            day = now.date()
        return cover


def _name_of(rule: _Rule) -> str:
    return f"code-{rule.code}" if isinstance(rule, PromoCode) else f"discount-{rule.id}"


def _is_due(rule: _Rule, at: datetime) -> bool:
    """Return False if *rule* is history, a plan, or for customers that only another system knows."""
    conditions, days, today = rule.conditions, rule.scope.days, at.date()
    is_over = conditions.ends_at and in_utc(conditions.ends_at) <= in_utc(at)
    is_elsewhere = days and not (days.end > today and days.start < today + _DAYS[-1])
    is_used_up = isinstance(rule, PromoCode) and rule.is_used_up
    return not (is_over or is_elsewhere or is_used_up or conditions.accounts or conditions.customer_groups)


def _unused_prices(catalogue: Catalogue, at: datetime) -> Iterator[str]:
    """Yield the name of each price rule for one of the coming days that no sale on these days uses."""
    for product in catalogue.products:
        ends = product.booking.sale_ends
        for variant in product.variants if ends is None or in_utc(ends) > in_utc(at) else ():
            for n, rule in enumerate(variant.prices, start=1):
                is_due = any(rule.when.include(at.date() + later, catalogue.calendar) for later in _DAYS)
                used = _used_rules(rule, variant.id, catalogue, at)
                if is_due and not rule.min_sold and not any(rule is each for each in used):
                    yield f"price-{variant.id}-{n}"


def _used_rules(rule: PriceRule, variant: int, catalogue: Catalogue, at: datetime) -> Iterator[object]:
    """Yield the rules that sales to holders of the card of *rule* use, ordered early enough for *rule*."""
    product, _ = catalogue.variant(variant)
    leads = {0, 1, max(rule.min_lead_days, product.booking.min_lead_days)}
    for channel, later, lead in combinations(catalogue.channels, _DAYS, leads):
        day = at.date() + later
        ordered = datetime.combine(day - timedelta(days=lead), time(), at.tzinfo)
        desk = ItemQuoter(channel=channel, catalogue=catalogue, at=ordered)
        for item in desk.bookable(variant, day, rule.discount_card):
            price = desk.list_price(item)
            yield from (price.whole, *(each.rule for each in price.days))
