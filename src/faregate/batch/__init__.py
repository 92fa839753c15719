"""The same rules over arrays: a function here is the NumPy twin of the scalar function of its name.

Columns in, columns out. Nothing is loaded until it is used: each name below is imported from its module on
first access, and NumPy with it (the extra ``batch``). The rest of the core runs without NumPy, and imports
nothing of this package.
"""

from __future__ import annotations

from importlib import import_module

# For type checkers and editors the same names stand in __init__.pyi; a test compares the two.
_NAMES = {
    "access": (
        "AccessColumns",
        "AccessPriceColumns",
        "Refusal",
        "access_price",
        "refused_requests",
    ),
    "allocation": (
        "Allocation",
        "allocate",
        "allocate_bucket",
        "allocate_capped",
        "split",
    ),
    "automatic": ("NO_DISCOUNT",),
    "baskets": (
        "Bucket",
        "buckets_of",
        "from_buckets",
        "offsets_of",
        "to_buckets",
    ),
    "codes": (
        "CodeColumns",
        "CodeResults",
    ),
    "contexts": ("ContextColumns",),
    "donation": ("donation_amount",),
    "eligibility": (
        "REASONS",
        "VALID",
    ),
    "insights": (
        "PriceHistogram",
        "grouped_prices",
        "price_distribution",
        "price_distributions",
        "quantiles",
    ),
    "lines": (
        "NONE",
        "LineColumns",
    ),
    "renewals": (
        "next_billing_date",
        "prorate",
        "renewal_date",
        "renewal_dates",
    ),
    "rounding": (
        "divide",
        "round_to_increment",
    ),
    "tax": (
        "gross_from_net",
        "net_from_gross",
    ),
    "totals": (
        "CheckoutTotals",
        "LineTotals",
        "VatColumns",
        "VoucherColumns",
        "checkout_totals",
        "vat_breakdown",
    ),
    "validity": (
        "NO_PRICE",
        "NO_WINDOW",
        "UNLIMITED",
        "Extremes",
        "SeasonCalendar",
        "season",
        "season_capacity",
        "season_prices",
        "window_extremes",
        "window_maximum",
        "window_minimum",
    ),
    "vouchers": (
        "NOT_PREPAID",
        "Goods",
        "PrepaidColumns",
        "prepaid_breakdown",
        "redeem",
    ),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOME]  # noqa: PLE0604  # every key is a string


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'faregate.batch' has no attribute {name!r}")
    try:
        module = import_module(f"faregate.batch.{_HOME[name]}")
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"faregate.batch needs {missing.name}: install faregate[batch]", name=missing.name
        ) from missing
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
