"""The price rules of a catalogue for sales at a gate; ``faregate.gate`` applies them. Decisions §9."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from faregate.catalogue.price_rules import PriceRule, PriceSteps
from faregate.money.amounts import MinorUnits

MOST_UNITS = 1_000_000
"""Maximum number of units in one price request from a gate."""


@dataclass(frozen=True, slots=True)
class AccessTariff:
    """Prices that replace the prices of a variant for some sales at a gate.

    ``is_online`` and ``is_depot`` select the sales; None selects both kinds. The ``steps`` of the variant do
    not apply to the tariff, which can have its own.
    """

    prices: tuple[PriceRule, ...]
    _: KW_ONLY
    is_online: bool | None = None
    is_depot: bool | None = None
    steps: PriceSteps | None = None

    def applies(self, *, is_online: bool, is_depot: bool) -> bool:
        """Return True if the tariff applies to a gate sale of the given kind.

        >>> AccessTariff((), is_online=False).applies(is_online=False, is_depot=True)
        True
        """
        return self.is_online in {None, is_online} and self.is_depot in {None, is_depot}


@dataclass(frozen=True, slots=True)
class QuantityTier:
    """A reduction of the total for ``min_quantity`` units or more, in parts per million.

    The result is rounded once, half up, to a multiple of ``increment``, and never exceeds the full total.
    """

    min_quantity: int
    parts_per_million: int
    _: KW_ONLY
    increment: MinorUnits = 1
