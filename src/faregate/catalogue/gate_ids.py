"""What the ids that a gate knows stand for, and the prices of each kind of sale there. Decisions §9."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import product as combinations
from typing import TYPE_CHECKING, TypeAlias
from zoneinfo import ZoneInfo

from faregate.catalogue.price_rules import PriceRule
from faregate.dates.instants import Duration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from faregate.catalogue.gate_rules import AccessTariff
    from faregate.catalogue.price_rules import PriceSteps
    from faregate.catalogue.products import Product, Variant
    from faregate.errors import Loc

AccessIds: TypeAlias = tuple[int, int] | tuple[str, str]
"""A product's id and a consumer category's: two numbers are the gate's own, two texts the system's."""

DTA_KINDS = ("dta_product_id", "dta_consumer_category")
SYSTEM_KINDS = ("system_product_id", "system_consumer_category")
CATEGORY_KINDS = dict((DTA_KINDS, SYSTEM_KINDS))
"""Which kind of external id makes a pair with which kind of product id."""

_WHOLE_NUMBER = re.compile(r"\d{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessOffer:
    """The prices for one kind of sale: those of *variant*, which a *tariff* may have given it.

    ``longest`` is the number of days of the longest rung of their ladder, 0 without a ladder. ``longer`` are
    for a number of days the longer validities that may cost less: see ``faregate.gate.price``.
    """

    variant: Variant
    tariff: AccessTariff | None
    longest: int
    longer: Mapping[int, tuple[Duration, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPoint:
    """What a pair of ids stands for; ``offers`` by whether a sale is online, and whether kept at the gate.

    ``currency`` and ``zone`` are those of its merchant. ``is_net``: its list prices are net.
    """

    product: Product
    variant: Variant
    currency: str
    zone: ZoneInfo
    is_net: bool
    offers: Mapping[tuple[bool, bool], AccessOffer]


def is_access_id(kind: str, value: str) -> bool:
    """Whether *value* can be what a gate asks for: ids of kinds that begin with dta are whole numbers there.

    >>> is_access_id("dta_product_id", "P1"), is_access_id("system_product_id", "P1")
    (False, True)
    """
    return kind not in DTA_KINDS or _WHOLE_NUMBER.fullmatch(value) is not None


def access_ids(variant: Variant) -> Iterator[tuple[AccessIds, int]]:
    """The pairs by which gates know *variant*, each with the index of its product's id; of one system each.

    >>> from faregate.catalogue.products import ExternalId, Variant
    >>> from faregate.tax.rates import VatRate
    >>> ids = (
    ...     ExternalId(system="gate", kind="dta_consumer_category", value="2"),
    ...     ExternalId(system="gate", kind="dta_product_id", value="7"),
    ... )
    >>> list(access_ids(Variant(id=101, name="Adult", rate=VatRate.percent(0), prices=(), external_ids=ids)))
    [((7, 2), 1)]
    """
    values = {(entry.system, entry.kind): entry.value for entry in reversed(variant.external_ids)}
    for index, entry in enumerate(variant.external_ids):
        kind, value = entry.kind, entry.value
        category_kind = CATEGORY_KINDS.get(kind, kind)
        category = values.get((entry.system, category_kind))
        if category_kind == kind or category is None:
            continue
        if not (is_access_id(kind, value) and is_access_id(category_kind, category)):
            continue
        yield (int(value), int(category)) if kind in DTA_KINDS else (value, category), index


def price_lists(variant: Variant) -> Iterator[tuple[Loc, tuple[PriceRule, ...], PriceSteps | None]]:
    """The prices of *variant* and of each of its tariffs, with their steps, and where in it they stand."""
    yield (), variant.prices, variant.steps
    for n, tariff in enumerate(variant.access_tariffs):
        yield ("access_tariffs", n), tariff.prices, tariff.steps


def access_point(
    product: Product, variant: Variant, *, currency: str, timezone: str, is_net: bool
) -> AccessPoint:
    """How *variant* is sold at gates: for each kind of sale by the first tariff for it, else as elsewhere."""
    tariffs = [
        (tariff, _offer(product, replace(variant, prices=tariff.prices, steps=tariff.steps), tariff))
        for tariff in variant.access_tariffs
    ]
    own = _offer(product, variant, None)
    offers = {}
    for is_online, is_depot in combinations((True, False), repeat=2):
        fitting = [
            offer for tariff, offer in tariffs if tariff.applies(is_online=is_online, is_depot=is_depot)
        ]
        offers[is_online, is_depot] = fitting[0] if fitting else own
    return AccessPoint(
        product=product,
        variant=variant,
        currency=currency,
        zone=ZoneInfo(timezone),
        is_net=is_net,
        offers=offers,
    )


def _offer(product: Product, variant: Variant, tariff: AccessTariff | None) -> AccessOffer:
    rungs = _rungs(variant.prices)
    return AccessOffer(
        variant=variant,
        tariff=tariff,
        longest=max(rungs, default=0),
        longer=_longer(rungs, product.durations),
    )


def _rungs(prices: tuple[PriceRule, ...]) -> dict[int, bool]:
    """How many whole days there are rungs for, and of each whether one holds on every day, at every stage."""
    rungs: dict[int, bool] = {}
    for rule in prices:
        duration = rule.duration
        if duration is not None and rule.discount_card is None and _is_of_days(duration):
            is_certain = rule == PriceRule(rule.amount, duration)
            rungs[duration.days] = rungs.get(duration.days, False) or is_certain
    return rungs


def _is_of_days(duration: Duration) -> bool:
    return not duration.months and not duration.seconds


def _longer(rungs: Mapping[int, bool], durations: tuple[Duration, ...]) -> dict[int, tuple[Duration, ...]]:
    """For the days of each rung, the longer validities whose list price may be below its own.

    Never one with a rung of its own, as a list price looks at every longer rung itself; and of those without
    one only the first, as a sum of more days costs no less. Without a rung no longer validity costs less.
    """
    longest = max(rungs, default=0)
    beyond = [length.days for length in durations if _is_of_days(length) and length.days > longest]
    longer: dict[int, tuple[Duration, ...]] = {}
    for days in sorted(rungs, reverse=True):
        following = days + 1 if days < longest else min(beyond, default=0)
        further = longer.get(following, ())
        is_idle = rungs.get(following, not following)
        longer[days] = further if is_idle else (Duration(days=following), *further)
    return longer
