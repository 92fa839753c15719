"""Mistakes that a type checker must find: an ignored line without an error is an error itself."""

from faregate import (
    Absolute,
    CheckoutTotals,
    Line,
    Money,
    PromoCode,
    TotalsPolicy,
    ValidityOption,
    VatRate,
    checkout_totals,
)

RATE = VatRate.percent("8.1")


def wrong_options() -> list[TotalsPolicy]:
    """Give options as text, and one that does not exist."""
    return [
        TotalsPolicy(stacking="sequential"),  # type: ignore[arg-type]
        TotalsPolicy(rounding="up"),  # type: ignore[call-arg]
    ]


def wrong_kinds() -> list[object]:
    """Give amounts and rates of the wrong kind."""
    return [
        Line(1, 19.99, 1, RATE),  # type: ignore[arg-type]
        Line(1, 1999, 1, 8.1),  # type: ignore[arg-type]
        VatRate.percent(8.1),  # type: ignore[arg-type]
        PromoCode(code="TEN", kind=10),  # type: ignore[arg-type]
        Absolute(Money.parse("1.00", "CHF")),  # type: ignore[arg-type]
    ]


def wrong_calls(line: Line) -> list[CheckoutTotals]:
    """Give a single line, codes as texts, and an option by position."""
    return [
        checkout_totals(line),  # type: ignore[arg-type]
        checkout_totals([line], promo_codes=["TEN"]),  # type: ignore[list-item]
        checkout_totals([line], []),  # type: ignore[call-arg]
    ]


def unhandled_optional(option: ValidityOption) -> int:
    """Read the capacity of a validity that may be without one."""
    return option.capacity.min  # type: ignore[union-attr]


def changed(totals: CheckoutTotals) -> None:
    """Change a result."""
    totals.total_gross = 0  # type: ignore[misc]
