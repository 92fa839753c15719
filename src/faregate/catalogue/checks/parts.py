"""The entries of a catalogue with their location (``loc``), and checks for entries of any kind."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern, Season
from faregate.catalogue.entries import Entries
from faregate.catalogue.gate_rules import AccessTariff
from faregate.catalogue.pools import Blocked, Pool, PoolSize
from faregate.catalogue.presentation.content import Banner, Image, ProductContent
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Medium, Product, Variant
from faregate.discounts.kinds import (
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    Conditions,
    PromoCode,
    Threshold,
)
from faregate.errors import Issue, Loc

_Part = TypeVar("_Part")

_WEEKDAYS = frozenset(range(1, 8))

_COLLECTIONS = (
    *("merchants", "categories", "discount_cards", "calendar", "pools", "products", "media", "channels"),
    *("automatic_discounts", "promo_codes", "vouchers"),
)
_PARTS: dict[type, tuple[str, ...]] = {
    Calendar: ("seasons", "holidays"),
    Season: ("spans",),
    DayPattern: ("dates",),
    Pool: ("sizes", "blocked"),
    PoolSize: ("when",),
    Blocked: ("when",),
    Product: (
        *("variants", "pools", "booking", "degression", "card_reductions", "quantity_tiers"),
        *("weather_guarantee", "content"),
    ),
    Variant: ("prices", "access_tariffs", "ages"),
    AccessTariff: ("prices",),
    PriceRule: ("when",),
    BookingRules: ("closed", "blackouts", "stays"),
    StayRule: ("when",),
    ProductContent: ("images", "seo_images", "banner"),
    Image: ("hotspot",),
    Banner: ("cta",),
    Medium: ("price_components",),
    AutomaticDiscount: ("conditions", "scope", "kind"),
    PromoCode: ("conditions", "scope", "kind"),
    BuyXGetY: ("rewards",),
    Bundle: ("parts",),
    BundlePart: ("scope",),
    Conditions: ("thresholds",),
    Threshold: ("counting",),
}
"""For each kind of entry, the fields that hold other entries."""


class Parts:
    """The entries of a catalogue by kind, each with its ``loc``, in the order of the catalogue."""

    def __init__(self, catalogue: Entries, changed: tuple[Loc, object] | None = None) -> None:
        """Collect the entries of *catalogue*, or only those of *changed*, a pair of ``loc`` and entry."""
        self.catalogue = catalogue
        self._by_kind: dict[type, list[tuple[Loc, Any]]] = defaultdict(list)
        if changed is None:
            self._visit(catalogue, _COLLECTIONS, ())
        else:
            self._note(changed[1], changed[0])

    def of(self, kind: type[_Part]) -> Sequence[tuple[Loc, _Part]]:
        """Return all entries of *kind*, each with its ``loc``."""
        return self._by_kind.get(kind, [])

    def _visit(self, entry: object, fields: Iterable[str], loc: Loc) -> None:
        for field in fields:
            part = getattr(entry, field)
            if type(part) is tuple:
                for n, item in enumerate(part):
                    self._note(item, (*loc, field, n))
            elif part is not None:
                self._note(part, (*loc, field))

    def _note(self, part: object, loc: Loc) -> None:
        kind = type(part)
        self._by_kind[kind].append((loc, part))
        if kind in _PARTS:
            self._visit(part, _PARTS[kind], loc)


def repeated(entries: Iterable[tuple[Loc, object]]) -> Iterator[Issue]:
    """Yield an issue for each of *entries* (pairs of ``loc`` and value) that repeats an earlier value.

    >>> [issue.message for issue in repeated([(("a",), 1), (("b",), 2), (("c",), 1)])]
    ['1 is used twice']
    """
    seen = set()
    for loc, value in entries:
        if value in seen:
            yield Issue(loc, f"{value!r} is used twice")
        seen.add(value)


def repeated_in(loc: Loc, entries: Sequence[object], field: str) -> Iterator[Issue]:
    """Yield an issue for each entry whose *field* repeats the value of an earlier entry."""
    return repeated(((*loc, n, field), getattr(entry, field)) for n, entry in enumerate(entries))


def below(least: int, loc: Loc, entry: object, *fields: str) -> Iterator[Issue]:
    """Yield an issue for each of *fields* of *entry* whose value is less than *least*; None is accepted."""
    for field in fields:
        value = getattr(entry, field)
        if value is not None and value < least:
            yield Issue((*loc, field), f"expected at least {least}, got {value}")


def not_weekdays(loc: Loc, weekdays: frozenset[int]) -> Iterator[Issue]:
    """Yield an issue for each of *weekdays* that is not from 1 (Monday) to 7."""
    for weekday in sorted(weekdays - _WEEKDAYS):
        yield Issue(loc, f"expected 1 to 7, got {weekday}")
