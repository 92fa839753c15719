"""The ids by which gates identify variants, and the prices for each kind of gate sale. Decisions §9."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product as combinations
from typing import TypeAlias
from zoneinfo import ZoneInfo

from faregate.catalogue.gate_rules import AccessTariff
from faregate.catalogue.price_rules import PriceRule, PriceSteps
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration
from faregate.errors import Loc

AccessIds: TypeAlias = tuple[int, int] | tuple[str, str]
"""A product id and a consumer category id; ints are the gate's own ids, strings those of its system."""

DTA_KINDS = ("dta_product_id", "dta_consumer_category")
SYSTEM_KINDS = ("system_product_id", "system_consumer_category")
CATEGORY_KINDS = dict((DTA_KINDS, SYSTEM_KINDS))
"""For each kind of product id, the kind of consumer category id that forms a pair with it."""

_WHOLE_NUMBER = re.compile(r"\d{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessOffer:
    """The prices for one kind of gate sale, as a ``variant`` with these prices (the tariff's, if any).

    ``longest`` is the longest duration with its own price, in days (0 if none). ``longer`` maps a number of
    days to the longer durations that may cost less: see ``faregate.gate.price``.
    """

    variant: Variant
    tariff: AccessTariff | None
    longest: int
    longer: Mapping[int, tuple[Duration, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPoint:
    """The product and variant for a pair of gate ids; ``offers`` is keyed by (is_online, is_depot).

    ``currency`` and ``zone`` are the merchant's. ``is_net`` is True if the list prices are net.
    """

    product: Product
    variant: Variant
    currency: str
    zone: ZoneInfo
    is_net: bool
    offers: Mapping[tuple[bool, bool], AccessOffer]


def is_access_id(kind: str, value: str) -> bool:
    """Return True if a gate can request the id *value*; ids of the ``dta`` kinds must be whole numbers.

    >>> is_access_id("dta_product_id", "P1"), is_access_id("system_product_id", "P1")
    (False, True)
    """
    return kind not in DTA_KINDS or _WHOLE_NUMBER.fullmatch(value) is not None


def access_ids(variant: Variant) -> Iterator[tuple[AccessIds, int]]:
    """Yield each pair of gate ids of *variant*, and the index of its product id in ``external_ids``.

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
    """Yield ``loc``, prices and steps for *variant* itself and for each of its gate tariffs."""
    yield (), variant.prices, variant.steps
    for n, tariff in enumerate(variant.access_tariffs):
        yield ("access_tariffs", n), tariff.prices, tariff.steps


def access_point(
    product: Product, variant: Variant, *, currency: str, timezone: str, is_net: bool
) -> AccessPoint:
    """Return the gate prices of *variant* by kind of sale: of the first tariff that applies, or its own."""
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
    """Map each number of days that has its own prices (a rung) to True if one of these is unconditional."""
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
    """Map each number of days in *rungs* to the longer durations whose list price may be lower.

    Rungs with an unconditional price are left out, since a list price considers all longer rungs anyway. Of
    the durations beyond the longest rung, only the shortest is kept, since more days never cost less.
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
