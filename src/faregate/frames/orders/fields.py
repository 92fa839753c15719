"""Fields of past orders in a frame: each row is a line, and lines with the same id form a checkout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from zoneinfo import ZoneInfo

from faregate.arguments.checks import option, require, whole
from faregate.batch.discounts.eligibility import counts_lead_days, has_same_day
from faregate.discounts.eligibility import scopes_of
from faregate.discounts.kinds import AutomaticDiscount, Conditions, PromoCode, Scope
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput
from faregate.frames.columns.prices import PriceColumn, PriceUnit
from faregate.money.currency import Currency, as_currency
from faregate.money.rounding import RoundingMode

BY = "by"
"""Name of the field that holds the checkout id of a line."""

_CHECKOUT = "checkout"

ATTRIBUTE = "attribute."
"""Prefix of attribute fields: ``attribute.age`` holds the value of the attribute ``age``."""

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
"""Fields that affect only the figures of checkouts, not those of lines."""

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
    "customer_group",
)
FIELDS = (*_ALWAYS, *_WHERE_THERE, *_ON_DEMAND)
"""Names of all fields except checkout ids and attributes; each is also the default name of its column."""


ID_FIELDS = ("product", "variant", "category", "discount_card", "account")
"""Names of the fields that hold ids, as ints or strings."""


class Lines(Enum):
    """Arrangement of the lines of a checkout in a frame."""

    SCATTERED = "scattered"
    """The lines of a checkout can be anywhere in the frame."""
    TOGETHER = "together"
    """The lines of a checkout are adjacent, so nothing is sorted; if they are not, an error is raised."""


class Figures(Enum):
    """Kind of result: the figures of lines or the figures of checkouts."""

    LINES = "lines"
    """A row for each line: its original columns, followed by its figures."""
    CHECKOUTS = "checkouts"
    """A row for each checkout: its id, followed by its figures."""


class Rows(Enum):
    """Way in which error messages identify faulty rows."""

    NUMBERED = "numbered"
    OF_CHECKOUTS = "of checkouts"
    """Rows are identified by the id of their checkout, since they have no order."""


@dataclass(frozen=True, slots=True)
class OrderReading:
    """Options for reading a frame of orders, with the same meaning as in ``reprice``."""

    columns: Mapping[str, str | None] = field(default_factory=dict)
    lines: Lines = Lines.SCATTERED
    currency: Currency | str | None = None
    rounding: RoundingMode | None = None
    zone: str | None = None
    ids: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Ids by field, and by the strings that stand for them in its column."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", option(Lines, self.lines, "lines"))
        if self.rounding is not None:
            object.__setattr__(self, "rounding", option(RoundingMode, self.rounding, "rounding"))
        if unknown := [name for name in self.ids if name not in ID_FIELDS]:
            raise InvalidInput(f"ids: unknown field {unknown[0]!r}, expected {', '.join(ID_FIELDS)}")
        for name, ids in self.ids.items():
            for text, own in ids.items():
                whole(own, f"ids: {name} {text!r}", InvalidInput, -(2**63) + 1, 2**63 - 1)


@dataclass(frozen=True, slots=True)
class Plan:
    """Plan for reading a frame of orders; ``names`` maps each field to the name of its column."""

    rules: PricingRules
    names: Mapping[str, str]
    lines: Lines = Lines.SCATTERED
    rows: Rows = Rows.NUMBERED
    unit: Currency | None = None
    rounding: RoundingMode | None = None
    zone: str | None = None
    ids: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    takes_returns: bool = False
    """True if lines may have negative units; ``Figures.CHECKOUTS`` cannot tell returns from sales."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Attributes that the rules refer to, each as a pair of identifier and value."""

    def amounts(self, name: str) -> PriceColumn:
        """Return the column of the field *name*, which holds amounts, with the options for reading it."""
        return PriceColumn(self.names[name], currency=self.unit, unit=PriceUnit.MINOR, rounding=self.rounding)


def plan_of(
    by: str,
    rules: PricingRules,
    own: Sequence[str],
    reading: OrderReading,
    *,
    figures: Figures = Figures.CHECKOUTS,
) -> Plan:
    """Return the plan for reading a frame that has the column names *own*.

    Columns that do not affect the requested *figures* are not read.

    Raises:
        InvalidInput: required columns are missing, such as those that the rules need; the error lists them.
        UnknownCurrency: the currency is unknown.
    """
    require(PricingRules, rules, "rules", InvalidInput)
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
        ids=reading.ids,
        takes_returns=figures is Figures.LINES,
        attributes=tuple(
            sorted({attribute for scope in _all_scopes(rules) for attribute in scope.attributes})
        ),
    )


def _names(
    rules: PricingRules, own: Sequence[str], reading: OrderReading, *, figures: Figures
) -> dict[str, str | None]:
    """Return the column name of each field that can affect the result; None if the field is to be ignored."""
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
        yield f"columns: name the column of checkouts with by=, as in by={given[_CHECKOUT]!r}"
    elif unknown:
        names = ", ".join(map(repr, unknown))
        yield f"columns: unknown field {names}, expected {', '.join(FIELDS)} and {ATTRIBUTE}…"


def missing(
    names: Mapping[str, str | None],
    own: Sequence[str],
    *,
    looked_at: set[str],
    given: Mapping[str, str | None],
) -> Iterator[str]:
    """Yield a message for each column not in *own* that is required or named by the caller in *given*.

    *names* maps each field to its column; *looked_at* are the fields that the rules need.
    """
    for name, column in names.items():
        is_wanted = name in {BY, *_ALWAYS, *looked_at} or given.get(name) is not None
        if is_wanted and column not in own:
            why = ", which the rules need," if name in looked_at else ""
            yield f"no column {column or name!r}{why} among {', '.join(map(repr, own))}"


def _zone_faults(name: str) -> Iterator[str]:
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        yield f"zone: unknown time zone {name!r}, expected an IANA name such as Europe/Zurich"


# ---------------------------------------------------------------- fields that rules need


def _looked_at(rules: PricingRules) -> dict[str, None]:
    """Return the names of the fields that *rules* depend on, as the keys of a dict to keep their order."""
    discounts: list[AutomaticDiscount | PromoCode] = [*rules.automatic, *rules.promo_codes]
    conditions = [discount.conditions for discount in discounts]
    named = [*map(_of_scope, _all_scopes(rules)), *map(_of_conditions, conditions)]
    days = ["first_day"] if any(map(has_same_day, discounts)) else []
    return dict.fromkeys(chain(*named, days))


def _all_scopes(rules: PricingRules) -> list[Scope]:
    discounts: list[AutomaticDiscount | PromoCode] = [*rules.automatic, *rules.promo_codes]
    return [*chain.from_iterable(map(scopes_of, discounts))]


def _of_scope(scope: Scope) -> Iterator[str]:
    has_lead_days = counts_lead_days(scope)
    looked_at = {
        "key": scope.lines,
        "product": scope.products or scope.excluded_products,
        "variant": scope.variants or scope.excluded_variants,
        "category": scope.categories or scope.excluded_categories,
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
        "customer_group": conditions.customer_groups,
    }
    yield from (name for name, condition in looked_at.items() if condition)
