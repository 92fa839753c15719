"""Refused catalogues and their issues."""

from dataclasses import fields, replace
from typing import Any

from faregate.catalogue.calendars import Calendar, MonthDay, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Entries
from faregate.catalogue.pools import Pool
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import PriceComponent, Product, Surcharge, Variant
from faregate.errors import InvalidCatalogue, Issue, IssueCode
from support.shops.small_shop import DAY_TICKET, DESK, SHOP, WEB


def unchecked(catalogue: Catalogue) -> Entries:
    """Return the entries of *catalogue*, for a test to spoil."""
    return Entries(**{field.name: getattr(catalogue, field.name) for field in fields(Entries)})


ENTRIES = unchecked(SHOP)
WINTER = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),))
MOUNTAIN, VALLEY = Pool(identifier="mountain", size=100), Pool(identifier="valley", size=None)


def faults_of(entries: Entries) -> tuple[Issue, ...]:
    """Return the issues for which ``Catalogue`` refuses *entries*, nothing if it accepts them."""
    try:
        Catalogue(**vars(entries))
    except InvalidCatalogue as refused:
        return refused.issues
    return ()


def said(entries: Entries) -> list[str]:
    """Return the issues of *entries* with their places, as text."""
    issues = faults_of(entries)
    assert {issue.code for issue in issues} <= {IssueCode.INVALID}
    return [str(issue) for issue in issues]


def with_ticket(**changes: Any) -> Entries:
    """Return the shop with a changed day ticket, a winter season and two pools."""
    ticket = replace(DAY_TICKET, **changes)
    calendar = Calendar(seasons=(WINTER,))
    return replace(
        ENTRIES, products=(ticket, *SHOP.products[1:]), calendar=calendar, pools=(MOUNTAIN, VALLEY)
    )


def with_desk(**changes: Any) -> Entries:
    """Return the shop with a changed ticket desk, its second channel."""
    return replace(ENTRIES, channels=(WEB, replace(DESK, **changes)))


def with_prices(*prices: PriceRule) -> Entries:
    """Return the shop with these prices for its adult day ticket."""
    adult = replace(DAY_TICKET.variants[0], prices=prices)
    return with_variants(adult, DAY_TICKET.variants[1])


def with_variants(*variants: Variant) -> Entries:
    return with_ticket(variants=variants)


def with_products(*products: Product) -> Entries:
    return replace(ENTRIES, products=products)


def with_guarantee(*surcharges: Surcharge) -> Entries:
    return with_ticket(weather_guarantee=surcharges)


def with_components(*components: PriceComponent) -> Entries:
    return replace(ENTRIES, media=(replace(SHOP.media[0], price_components=components),))
