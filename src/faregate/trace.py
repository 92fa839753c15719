"""Traces of amounts: signed steps that add up to the amounts they explain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from faregate._values import public_value
from faregate.money.currency import Currency


class StepKind(Enum):
    """Kind of rule that added or deducted an amount."""

    LIST_PRICE = "list_price"
    AUTOMATIC_DISCOUNT = "automatic_discount"
    PROMO_CODE = "promo_code"
    VAT = "vat"
    GIVE_BACK = "give_back"
    FIRST_PERIOD = "first_period"
    """Price difference between the first period of a subscription and the later ones."""
    DONATION = "donation"
    VOUCHER = "voucher"
    CASH_ROUNDING = "cash_rounding"
    LARGEST_REMAINDER = "largest_remainder"
    """Extra minor unit that a line received when an amount was allocated in proportion to prices."""
    CARRIED = "carried"
    """Amount explained elsewhere in the trace and carried over as a whole."""
    PLACES_SOLD = "places_sold"
    """Change in a day's price due to the number of units sold."""
    PRICE_LIMIT = "price_limit"
    """Amount added to a day price by its floor, or taken off by its ceiling."""
    RATCHET = "ratchet"
    """Amount that keeps a day price at its earlier, higher level."""
    DEGRESSION = "degression"
    """Reduction for a day because several days are bought together."""
    PRICE_ROUNDING = "price_rounding"
    """Difference made by rounding the sum of day prices."""
    CARD_REDUCTION = "card_reduction"
    """Reduction for the holder of a discount card."""
    QUANTITY_TIER = "quantity_tier"
    """Reduction for buying many units at once."""
    REPRICED = "repriced"
    """Change of a refund because the rest of the order costs more, or less, on its own."""
    KEPT = "kept"
    """Part of a price that is not refundable."""
    REFUND_FEE = "refund_fee"
    """Fee for a return."""


class Step(NamedTuple):
    """One signed amount: *rule* changed *figure* by *amount*; *source* distinguishes rules of one kind.

    ``line`` is the key of a line, or None for the checkout as a whole. ``note`` shows the arithmetic.
    """

    figure: str
    line: int | None
    rule: StepKind
    source: str
    amount: int
    note: str = ""


@public_value
@dataclass(frozen=True, slots=True, init=False, repr=False)
class Trace:
    """The steps that explain a price, in the order in which they were taken.

    ``currency`` is the currency of notes and tables; None means that they show minor units.

    >>> trace = Trace([Step("total_gross", 1, StepKind.LIST_PRICE, "", 500),
    ...                Step("total_gross", 1, StepKind.PROMO_CODE, "TEN", -50)])
    >>> trace.amount("total_gross", line=1)
    450
    """

    steps: tuple[Step, ...]
    currency: Currency | None
    _by_figure: dict[tuple[str, int | None], list[Step]] = field(init=False, compare=False)

    def __init__(self, steps: Iterable[Step], *, currency: Currency | None = None) -> None:
        object.__setattr__(self, "steps", tuple(steps))
        object.__setattr__(self, "currency", currency)
        object.__setattr__(self, "_by_figure", {})
        for step in self.steps:
            self._by_figure.setdefault((step.figure, step.line), []).append(step)

    def of(self, figure: str, *, line: int | None = None) -> tuple[Step, ...]:
        """Return the steps that explain *figure* of a line or, if *line* is None, of the whole checkout."""
        return tuple(self._by_figure.get((figure, line), ()))

    def amount(self, figure: str, *, line: int | None = None) -> int:
        """Return the sum of the steps that explain *figure*, as selected by ``of``."""
        return sum(step.amount for step in self.of(figure, line=line))

    def figures(self) -> tuple[tuple[str, int | None], ...]:
        """Return every pair (figure, line) that the trace explains."""
        return tuple(self._by_figure)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return f"<Trace: {len(self.steps)} steps of {len(self._by_figure)} figures>"
