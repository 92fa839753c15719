"""Validities as JSON, with the specification's names and exact numbers. Decisions §8."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faregate.catalogue.pools import PoolSlot
    from faregate.money.amounts import MinorUnits
    from faregate.money.currency import Currency
    from faregate.validity.offers import CapacityRange, PriceRange, ValidityOption
    from faregate_cli.json_text import Json
    from faregate_cli.validities.calendars import Question

__all__ = ["validities_json"]

_DAY = timedelta(days=1)


def validities_json(question: Question) -> dict[str, Json]:
    """What is asked and every validity that answers it; an amount is a ``Decimal`` in major units."""
    days, product, unit = question.days, question.product, question.currency
    found = question.answer()
    return {
        "at": question.at.isoformat(),
        "product": {"id": product.id, "slug": product.slug, "name": product.name},
        "productVariantIds": list(question.query.variants),
        "quantity": question.query.quantity,
        "dateFrom": days.start.isoformat(),
        "dateTo": (days.end - _DAY).isoformat(),
        "currency": unit.code,
        "hasCapacities": found.has_capacities,
        "options": [_option(option, unit) for option in found.options],
    }


def _option(option: ValidityOption, unit: Currency) -> Json:
    return {
        "from": option.validity.start.isoformat(),
        "to": option.validity.end.isoformat(),
        "duration": str(option.duration),
        "isAvailable": option.is_available,
        "obstacle": option.obstacle and option.obstacle.value,
        "capacity": _capacity(option.capacity),
        "price": _price(option.price, unit),
        "bottleneck": _pool_slot(option.bottleneck),
    }


def _capacity(places: CapacityRange | None) -> Json:
    return places and {"min": places.min, "max": places.max}


def _price(price: PriceRange, unit: Currency) -> Json:
    return {"minPrice": _amount(price.min, unit), "maxPrice": _amount(price.max, unit)}


def _amount(amount: MinorUnits, unit: Currency) -> Decimal:
    return Decimal(amount).scaleb(-unit.exponent)


def _pool_slot(limit: PoolSlot | None) -> Json:
    if limit is None:
        return None
    slot = None if limit.start is None else f"{limit.start:%H:%M}"
    return {"pool": limit.pool, "day": limit.day.isoformat(), "slot": slot}
