"""What the columns of past orders mean: a row is a line, and lines of one id are one checkout."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from faregate.arguments.checks import option
from faregate.batch.discounts.eligibility import counts_lead_days, scopes_of
from faregate.errors import InvalidInput
from faregate.frames.columns.prices import PriceColumn, PriceUnit
from faregate.money.currency import as_currency
from faregate.money.rounding import RoundingMode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from faregate.discounts.kinds import AutomaticDiscount, Conditions, PromoCode, Scope
    from faregate.discounts.pricing_rules import PricingRules
    from faregate.money.currency import Currency

BY = "by"
"""The field that says which checkout a line is of."""

_CHECKOUT = "checkout"

ATTRIBUTE = "attribute."
"""What the fields of attributes begin with: ``attribute.age`` is the value of ``age``."""

_ALWAYS = ("unit_price", "quantity", "rate")
_WHERE_THERE = (
    "key",
    "floor_price",
    "discountable",
    "counted",
    "is_subscription",
    "recurring_price",
    "codes",
    "donation",
)
_OF_CHECKOUTS = {"donation", "is_subscription", "recurring_price"}
"""They change no figure of a line."""

_ON_DEMAND = (
    "product",
    "variant",
    "category",
    "discount_card",
    "first_day",
    "ordered_at",
    "ordered_on",
    "channel",
    "account",
)
FIELDS = (*_ALWAYS, *_WHERE_THERE, *_ON_DEMAND)
"""The names that columns have unless told otherwise."""


class Lines(Enum):
    """How the lines of a checkout lie in a frame."""

    SCATTERED = "scattered"
    """Anywhere."""
    TOGETHER = "together"
    """One after the other, and nothing needs to be sorted; a checkout that comes again is refused."""


class Figures(Enum):
    """Whose figures are asked for."""

    LINES = "lines"
    """Those of each line, after the columns it has."""
    CHECKOUTS = "checkouts"
    """Those of each checkout, after its id."""


class Rows(Enum):
    """What a row at fault is called by."""

    NUMBERED = "numbered"
    OF_CHECKOUTS = "of checkouts"
    """Where rows have no order, by the id of the checkout."""


@dataclass(frozen=True, slots=True)
class OrderReading:
    """How a frame of orders is read, where its columns are not called and made as ``reprice`` has them."""

    columns: Mapping[str, str | None] = field(default_factory=dict)
    lines: Lines = Lines.SCATTERED
    currency: Currency | str | None = None
    rounding: RoundingMode | None = None
    zone: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", option(Lines, self.lines, "lines"))
        if self.rounding is not None:
            object.__setattr__(self, "rounding", option(RoundingMode, self.rounding, "rounding"))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is read of a frame, and how: ``names`` has the column of each field that is."""

    rules: PricingRules
    names: Mapping[str, str]
    lines: Lines = Lines.SCATTERED
    rows: Rows = Rows.NUMBERED
    unit: Currency | None = None
    rounding: RoundingMode | None = None
    zone: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    """Those that the rules look at."""

    def amounts(self, name: str) -> PriceColumn:
        """How the amounts of a field are read."""
        return PriceColumn(self.names[name], currency=self.unit, unit=PriceUnit.MINOR, rounding=self.rounding)


def plan_of(
    by: str,
    rules: PricingRules,
    own: Sequence[str],
    reading: OrderReading,
    *,
    figures: Figures = Figures.CHECKOUTS,
) -> Plan:
    """What is to be read of a frame that has the columns *own*.

    A column that changes none of the *figures* is not read.

    Raises:
        InvalidInput: columns are missing, also such as the rules look at, all of them together.
        UnknownCurrency: the currency is none.
    """
    given, zone = reading.columns, reading.zone
    if faults := [*_unknown(given)]:
        raise InvalidInput(*faults)
    looked_at = _looked_at(rules)
    names = _names(rules, own, reading, figures=figures)
    faults = [
        *missing({BY: by, **names}, own, looked_at={*looked_at, "ordered_at"}, given=given),
        *([] if zone is None else _zone_faults(zone)),
    ]
    if faults:
        raise InvalidInput(*faults)
    return Plan(
        rules,
        {BY: by, **{name: column for name, column in names.items() if column is not None and column in own}},
        lines=reading.lines,
        unit=None if reading.currency is None else as_currency(reading.currency),
        rounding=reading.rounding,
        zone=zone,
        attributes=tuple(
            sorted({attribute for scope in _all_scopes(rules) for attribute in scope.attributes})
        ),
    )


def _names(
    rules: PricingRules, own: Sequence[str], reading: OrderReading, *, figures: Figures
) -> dict[str, str | None]:
    """The columns of all fields that are read, if they are there."""
    given = reading.columns
    unread = set() if figures is Figures.CHECKOUTS else set(_OF_CHECKOUTS)
    unread |= set() if rules.promo_codes else {"codes"}
    fields = (*_ALWAYS, *(name for name in _WHERE_THERE if name not in unread), *_looked_at(rules))
    names = {name: given.get(name, name) for name in fields}
    if reading.zone is not None and names.get("ordered_on", "") not in {"", *own}:
        del names["ordered_on"]
        names["ordered_at"] = given.get("ordered_at", "ordered_at")
    return names


def _unknown(given: Mapping[str, str | None]) -> Iterator[str]:
    unknown = [name for name in given if name not in FIELDS and not name.startswith(ATTRIBUTE)]
    turned = {given[name]: name for name in unknown if given[name] in {*FIELDS, _CHECKOUT}}
    if turned:
        by = f", and by={turned.pop(_CHECKOUT)!r}" if _CHECKOUT in turned else ""
        yield f"columns: is the mapping reversed? It goes from fields to columns, as in {turned}{by}"
    elif _CHECKOUT in unknown:
        yield f"columns: the column of checkouts is named by by=, as in by={given[_CHECKOUT]!r}"
    elif unknown:
        names = ", ".join(map(repr, unknown))
        yield f"columns: there is no field {names}, only {', '.join(FIELDS)} and {ATTRIBUTE}…"


def missing(
    names: Mapping[str, str | None],
    own: Sequence[str],
    *,
    looked_at: set[str],
    given: Mapping[str, str | None],
) -> Iterator[str]:
    """What is wanted, by the rules or by whoever gave it a name, and is not there."""
    for name, column in names.items():
        is_wanted = name in {BY, *_ALWAYS, *looked_at} or given.get(name) is not None
        if is_wanted and column not in own:
            why = ", which the rules look at," if name in looked_at else ""
            yield f"no column {column or name!r}{why} among {', '.join(map(repr, own))}"


def _zone_faults(name: str) -> Iterator[str]:
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        yield f"zone: there is no {name!r}, give one as in Europe/Zurich"


# ---------------------------------------------------------------- what rules look at


def _looked_at(rules: PricingRules) -> dict[str, None]:
    """Fields that the rules cannot do without."""
    discounts: list[AutomaticDiscount | PromoCode] = [*rules.automatic, *rules.promo_codes]
    conditions = [discount.conditions for discount in discounts]
    named = [*map(_of_scope, _all_scopes(rules)), *map(_of_conditions, conditions)]
    return dict.fromkeys(chain.from_iterable(named))


def _all_scopes(rules: PricingRules) -> list[Scope]:
    discounts: list[AutomaticDiscount | PromoCode] = [*rules.automatic, *rules.promo_codes]
    return [*chain.from_iterable(map(scopes_of, discounts))]


def _of_scope(scope: Scope) -> Iterator[str]:
    has_lead_days = counts_lead_days(scope)
    looked_at = {
        "key": scope.lines,
        "product": scope.products,
        "variant": scope.variants,
        "category": scope.categories,
        "discount_card": scope.discount_cards,
        "first_day": scope.weekdays or scope.days is not None or has_lead_days,
        "ordered_on": has_lead_days,
    }
    yield from (name for name, criterion in looked_at.items() if criterion)
    yield from (f"{ATTRIBUTE}{identifier}" for identifier, _ in sorted(scope.attributes))


def _of_conditions(conditions: Conditions) -> Iterator[str]:
    looked_at = {
        "ordered_at": conditions.starts_at is not None or conditions.ends_at is not None,
        "ordered_on": conditions.weekdays,
        "channel": conditions.channels,
        "account": conditions.accounts,
    }
    yield from (name for name, condition in looked_at.items() if condition)
