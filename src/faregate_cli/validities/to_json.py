"""Validity periods as JSON, with the specification's field names and exact numbers. Decisions §8."""

from datetime import timedelta

from faregate.catalogue.pools import PoolSlot
from faregate.money.currency import Currency
from faregate.validity.offers import ValidityOption
from faregate_cli.terminal.json_text import Json, json_fields, json_value, major_units
from faregate_cli.validities.calendars import Question

_DAY = timedelta(days=1)


def to_json(question: Question) -> dict[str, Json]:
    """Return *question* and its validity periods as JSON; amounts are ``Decimal`` in major units."""
    days, unit = question.days, question.currency
    validities = question.answer()
    return {
        "at": question.at.isoformat(),
        "product": json_fields(question.product, "id", "slug", "name"),
        "productVariantIds": list(question.query.variants),
        "quantity": question.query.quantity,
        "dateFrom": days.start.isoformat(),
        "dateTo": (days.end - _DAY).isoformat(),
        "currency": unit.code,
        "hasCapacities": validities.has_capacities,
        "options": [_option(option, unit) for option in validities.options],
    }


def _option(option: ValidityOption, unit: Currency) -> Json:
    price = option.price
    return {
        "from": option.validity.start.isoformat(),
        "to": option.validity.end.isoformat(),
        **json_fields(option, "duration", "is_available", "obstacle"),
        "capacity": json_value(option.capacity),
        "price": {"minPrice": major_units(price.min, unit), "maxPrice": major_units(price.max, unit)},
        "bottleneck": option.bottleneck and _pool_slot(option.bottleneck),
    }


def _pool_slot(limit: PoolSlot) -> Json:
    slot = None if limit.start is None else f"{limit.start:%H:%M}"
    return {**json_fields(limit, "pool", "day"), "slot": slot}
