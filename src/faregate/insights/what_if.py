"""Past orders under other rules: the change of revenue, split so that the parts add up. Decisions §17."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from faregate.errors import InvalidInput
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.money.rounding import round_half_even

_DECIMAL = re.compile(r"[+-]?[0-9]{1,6}(\.[0-9]{1,12})?")


class BridgeStep(NamedTuple):
    """Revenue from the rows with one value of a column, before and after; ``key`` is None for null."""

    key: str | None
    before: MinorUnits
    after: MinorUnits

    @property
    def change(self) -> MinorUnits:
        """Contribution to the change of the total."""
        return self.after - self.before

    @property
    def price_change(self) -> Fraction:
        """Relative change of the price of the same units; 0 unless both amounts are above 0."""
        responds = self.before > 0 and self.after > 0
        return Fraction(self.change, self.before) if responds else Fraction(0)


class Bridge(NamedTuple):
    """The change of the total, split by the values of a column.

    >>> Bridge("product", (BridgeStep("11", 900, 800), BridgeStep("41", 100, 130))).change
    -70
    """

    column: str
    steps: tuple[BridgeStep, ...]

    @property
    def before(self) -> MinorUnits:
        """Total before the change."""
        return sum([step.before for step in self.steps])

    @property
    def after(self) -> MinorUnits:
        """Total after the change."""
        return sum([step.after for step in self.steps])

    @property
    def change(self) -> MinorUnits:
        """The total after minus the total before: the sum of the contributions."""
        return sum([step.change for step in self.steps])


class UnmatchedCode(NamedTuple):
    """A code that was entered in checkouts and gave a discount in none of them."""

    code: str
    checkouts: int
    is_known: bool
    """True if the rules define the code, but it was never valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """Revenue of the same orders before and after a change of rules, gross and in minor units.

    Each bridge splits the same change by another column. With an ``elasticity``, the units of each step of
    the first bridge, usually a product, respond to their own price: they are multiplied by ``1 + elasticity *
    price_change``, at least 0.

    >>> steps = (BridgeStep("11", 900, 800), BridgeStep("41", 100, 130))
    >>> report = WhatIf(
    ...     checkouts=7, lines=9, bridges=(Bridge("product", steps),), elasticity=Fraction(-1, 2)
    ... )
    >>> report.change, report.response, report.expected, report.break_even
    (-70, 25, 955, Fraction(-630, 449))

    Raises:
        InvalidInput: the report has no bridge, totals differ between bridges, or the elasticity is above 0.
    """

    checkouts: int
    lines: int
    bridges: tuple[Bridge, ...]
    returns: int = 0
    """Number of lines with negative units."""
    unmatched_before: tuple[UnmatchedCode, ...] = ()
    unmatched_after: tuple[UnmatchedCode, ...] = ()
    elasticity: Fraction | None = None
    currency: Currency | None = None

    def __post_init__(self) -> None:
        totals = {(bridge.before, bridge.after) for bridge in self.bridges}
        if len(totals) != 1:
            raise InvalidInput(f"bridges: expected one pair of totals, got {sorted(totals)}")
        if self.elasticity is not None:
            object.__setattr__(self, "elasticity", elasticity_of(self.elasticity))

    @property
    def before(self) -> MinorUnits:
        """Total under the old rules."""
        return self.bridges[0].before

    @property
    def after(self) -> MinorUnits:
        """Total under the new rules if nobody changes what they buy."""
        return self.bridges[0].after

    @property
    def change(self) -> MinorUnits:
        """The total after minus the total before: the sum of the contributions in each bridge."""
        return self.after - self.before

    @property
    def response(self) -> MinorUnits:
        """Further change because buyers respond, rounded once, half to even; 0 without an elasticity."""
        if self.elasticity is None:
            return 0
        return round_half_even(revenue_at(self.bridges[0], self.elasticity) - self.after)

    @property
    def expected(self) -> MinorUnits:
        """Total under the new rules including the response of the buyers."""
        return self.after + self.response

    @property
    def break_even(self) -> Fraction | None:
        """Elasticity nearest to 0 at which the total does not change; None if it always changes."""
        return break_even_elasticity(self.bridges[0])


def elasticity_of(value: str | int | Decimal | Fraction) -> Fraction:
    """Return a price elasticity as a fraction.

    >>> elasticity_of("-0.8")
    Fraction(-4, 5)

    Raises:
        InvalidInput: *value* is a float, not a number, or above 0.
    """
    exact = isinstance(value, (int, Fraction)) and not isinstance(value, bool)
    is_decimal = isinstance(value, (str, Decimal)) and _DECIMAL.fullmatch(str(value).strip())
    if not exact and not is_decimal:
        advice = f": a float is not exact, write '{value}'" if isinstance(value, float) else ""
        raise InvalidInput(f"elasticity: {value!r} is not a decimal such as '-0.8'{advice}")
    elasticity = Fraction(value)
    if elasticity > 0:
        raise InvalidInput(f"elasticity: expected at most 0, got {value}")
    return elasticity


def revenue_at(bridge: Bridge, elasticity: Fraction) -> Fraction:
    """Return the total after the change if the units of each step respond to their own price.

    >>> revenue_at(Bridge("product", (BridgeStep("11", 1000, 1100),)), Fraction(-2))
    Fraction(880, 1)
    """
    factors = [max(Fraction(0), 1 + elasticity * step.price_change) for step in bridge.steps]
    return sum([step.after * factor for step, factor in zip(bridge.steps, factors, strict=True)], Fraction(0))


def break_even_elasticity(bridge: Bridge) -> Fraction | None:
    """Return the elasticity nearest to 0, and at most 0, at which the change of revenue is 0.

    Revenue is a convex function of the elasticity, linear between the points at which a step loses its last
    unit; these are examined from 0 downwards.

    >>> break_even_elasticity(Bridge("product", (BridgeStep("11", 1000, 1100),)))
    Fraction(-10, 11)
    """
    dearer = [step for step in bridge.steps if step.price_change > 0]
    rising = sorted(dearer, key=lambda step: -step.price_change)
    gap = Fraction(bridge.change)
    slope = sum([step.after * step.price_change for step in bridge.steps], Fraction(0))
    upper = Fraction(0)
    for step in [*rising, None]:
        lower = None if step is None else -1 / step.price_change
        root = -gap / slope if slope else upper if not gap else None
        if root is not None and root <= upper and (lower is None or root >= lower):
            return root
        if step is not None and lower is not None:
            gap -= step.after
            slope -= step.after * step.price_change
            upper = lower
    return None
