"""How sales at a gate are priced, as a catalogue says it; ``faregate.gate`` goes by it. Decisions §9."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faregate.catalogue.price_rules import PriceRule, PriceSteps
    from faregate.money.amounts import MinorUnits

MOST_UNITS = 1_000_000
"""More than these nobody asks the price of at once."""


@dataclass(frozen=True, slots=True)
class AccessTariff:
    """Prices that take the place of a variant's own for some sales at a gate.

    ``is_online`` and ``is_depot`` say for which: None is for both kinds. They bring their own ``steps``;
    without any they do not move beyond their rules.
    """

    prices: tuple[PriceRule, ...]
    _: KW_ONLY
    is_online: bool | None = None
    is_depot: bool | None = None
    steps: PriceSteps | None = None

    def applies(self, *, is_online: bool, is_depot: bool) -> bool:
        """Whether it is for a sale of that kind.

        >>> AccessTariff((), is_online=False).applies(is_online=False, is_depot=True)
        True
        """
        return self.is_online in {None, is_online} and self.is_depot in {None, is_depot}


@dataclass(frozen=True, slots=True)
class QuantityTier:
    """How much less the total of ``min_quantity`` units and more is, in parts per million.

    The total is rounded once, half up, to a multiple of ``increment``, and is never above what it was.
    """

    min_quantity: int
    parts_per_million: int
    _: KW_ONLY
    increment: MinorUnits = 1
