"""The audit of a catalogue: random baskets whose prices are compared. Decisions §22."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import accumulate
from operator import attrgetter
from zoneinfo import ZoneInfo

from faregate.arguments.checks import whole
from faregate.audit.findings import Finding, FindingKind, finding_of, price_of
from faregate.audit.price_rules import unused_prices
from faregate.audit.rules import Rule, draw_basket, instants, is_applied, is_due, name_of
from faregate.audit.shops import DAY, Draw, Shop
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.checkout.model import CheckoutItem
from faregate.checkout.priced import PricedCheckout
from faregate.dates.durations import Duration, has_duration
from faregate.dates.instants import Interval, in_utc, service_days
from faregate.discounts.kinds import PromoCode
from faregate.errors import InvalidInput

_EXTRA_TRIES = 200
"""Number of further baskets for a rule that the ordinary ones have not used."""


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
    in_utc(at)  # raises an error if the UTC offset is missing
    return _Audit(catalogue, at, draw).findings(number)


class _Audit:
    def __init__(self, catalogue: Catalogue, at: datetime, draw: Draw) -> None:
        zone = ZoneInfo(catalogue.merchants[0].timezone) if catalogue.merchants else UTC
        at = at.astimezone(zone)
        self._catalogue, self._at, self._draw = catalogue, at, draw
        rules: list[Rule] = [*catalogue.automatic_discounts, *catalogue.promo_codes]
        self._rules = [rule for rule in rules if is_due(rule, at)]
        self._unused = {name_of(rule): rule for rule in self._rules}
        self._shops: dict[tuple[str, datetime], Shop] = {}
        self._found: dict[str, Finding] = {}

    def findings(self, baskets: int) -> tuple[Finding, ...]:
        examined: list[Rule | None] = [None, *self._rules]
        for n in range(baskets if self._catalogue.channels else 0):
            rule = examined[n % len(examined)]
            shop = self._shop(rule)
            items = draw_basket(rule, shop) if shop else []
            if shop and items:
                self._examine(items, rule, shop)
        for rule in [*self._unused.values()]:
            self._try_again(rule)
        prices = unused_prices(self._catalogue, self._at)
        unused = [*self._unused, *(f"price-{variant.id}-{index + 1}" for variant, index in prices)]
        kind = FindingKind.UNREACHABLE
        never = (Finding(kind=kind, identifier=f"{kind.value}/{name}") for name in unused)
        return tuple(sorted((*self._found.values(), *never), key=attrgetter("identifier")))

    def _shop(self, rule: Rule | None) -> Shop | None:
        """Return a random shop in which *rule* can apply, or None if it cannot apply in any."""
        channels = [each for each in self._catalogue.channels if rule is None or _admits(each, rule)]
        if not channels:
            return None
        channel = channels[self._draw(len(channels))]
        zone = self._catalogue.zone_of_orders(channel)
        times = [self._at] if rule is None else instants(rule, self._at, zone)
        if not times:
            return None
        at = times[self._draw(len(times))]
        shop = self._shops.get((channel.uuid, at))
        if shop is None:
            shop = self._shops[channel.uuid, at] = Shop(self._catalogue, channel, at=at, draw=self._draw)
        shop.account = min(rule.conditions.accounts, default=None) if rule else None
        return shop

    def _try_again(self, rule: Rule) -> None:
        for _ in range(_EXTRA_TRIES):
            shop = self._shop(rule)
            items = draw_basket(rule, shop) if shop else []
            if shop and items:
                self._note_use(shop.price(items, *_codes_of(rule)))
            if name_of(rule) not in self._unused:
                return

    def _note_use(self, basket: PricedCheckout) -> None:
        for name, rule in [*self._unused.items()]:
            if is_applied(rule, basket):
                del self._unused[name]

    def _keep(self, finding: Finding) -> None:
        if finding.is_within_rounding:
            return
        known = self._found.get(finding.identifier)
        if known is None or (finding.units, -finding.saving) < (known.units, -known.saving):
            self._found[finding.identifier] = finding

    def _compare(
        self, kind: FindingKind, dearer: PricedCheckout, cheaper: Sequence[PricedCheckout], code: str = ""
    ) -> None:
        if price_of(dearer) > sum(map(price_of, cheaper)):
            self._keep(finding_of(kind, dearer, cheaper, code=code))

    def _examine(self, items: list[CheckoutItem], rule: Rule | None, shop: Shop) -> None:
        basket = self._one_more(items, shop)
        self._split(items, basket, shop)
        self._codes(items, basket, rule, shop)
        self._stay(shop.one_of(items), shop)

    def _one_more(self, items: Sequence[CheckoutItem], shop: Shop) -> PricedCheckout:
        before = shop.price(items[:1])
        for units in range(2, len(items) + 1):
            after = shop.price(items[:units])
            self._compare(FindingKind.ONE_MORE, before, [after])
            before = after
        self._note_use(before)
        return before

    def _split(self, items: Sequence[CheckoutItem], basket: PricedCheckout, shop: Shop) -> None:
        """Compare *basket* with every other unit bought apart, and with a cut at a random place."""
        cut = shop.one_of(range(len(items)))
        for parts in ((items[::2], items[1::2]), (items[:cut], items[cut:])):
            if all(parts):
                self._compare(FindingKind.SPLIT, basket, [shop.price(part) for part in parts])

    def _codes(
        self, items: Sequence[CheckoutItem], basket: PricedCheckout, rule: Rule | None, shop: Shop
    ) -> None:
        codes = [each.code for each in self._catalogue.promo_codes if is_due(each, self._at)]
        if not codes or not shop.channel.can_use_promo_codes:
            return
        first = rule.code if isinstance(rule, PromoCode) else shop.one_of(codes)
        one, other = shop.price(items, first), shop.one_of(codes)
        self._note_use(one)
        self._compare(FindingKind.CODE, one, [basket], first)
        if other != first:
            both = shop.price(items, first, other)
            self._compare(FindingKind.CODE, both, [one], other)
            self._compare(FindingKind.CODE, both, [shop.price(items, other)], first)

    def _stay(self, item: CheckoutItem, shop: Shop) -> None:
        validity = item.validity
        if validity is None:
            return
        single, day = shop.price([item]), validity.first_day
        for kind, first in ((FindingKind.MORE_DAYS, day), (FindingKind.DAY_EARLIER, day - DAY)):
            for longer in _longer(item, validity, first, shop):
                self._compare(kind, single, [shop.price([longer])])
        for parts in _shorter(item, validity, shop):
            self._compare(FindingKind.SPLIT, single, [shop.price([part]) for part in parts])


def _admits(channel: Channel, rule: Rule) -> bool:
    if isinstance(rule, PromoCode) and not channel.can_use_promo_codes:
        return False
    return not rule.conditions.channels or channel.uuid in rule.conditions.channels


def _codes_of(rule: Rule) -> tuple[str, ...]:
    return (rule.code,) if isinstance(rule, PromoCode) else ()


def _longer(item: CheckoutItem, validity: Interval, first: date, shop: Shop) -> Iterator[CheckoutItem]:
    """Yield the tickets of the same variant from the day *first* that cover the validity of *item*."""
    for duration in shop.durations(item.variant):
        longer = shop.ticket(item.variant, duration, first, item.discount_card)
        other = longer and longer.validity
        if (
            longer
            and other
            and other != validity
            and other.start <= validity.start <= validity.end <= other.end
        ):
            yield longer


def _shorter(item: CheckoutItem, validity: Interval, shop: Shop) -> Iterator[list[CheckoutItem]]:
    """Yield tickets for parts of the days of *item*: equal parts and, if there is one, a rest."""
    total = service_days(validity).days
    if not has_duration(Duration(days=total), validity, validity.start.tzinfo or UTC):
        return
    lengths = {
        each.days for each in shop.durations(item.variant) if each and each == Duration(days=each.days)
    }
    for length in sorted(lengths - {total}):
        times, rest = divmod(total, length)
        if times and (not rest or rest in lengths):
            days = [length] * times + [rest] * bool(rest)
            firsts = [validity.first_day + passed * DAY for passed in accumulate(days[:-1], initial=0)]
            parts = [
                shop.ticket(item.variant, Duration(days=each), first, item.discount_card)
                for each, first in zip(days, firsts, strict=True)
            ]
            sold = [part for part in parts if part is not None]
            if len(sold) == len(parts):
                yield sold
