"""The same rules over arrays: a function here is the NumPy twin of the scalar function of its name.

Columns in, columns out. Nothing is loaded until it is used: each name below is imported from its module on
first access, and NumPy with it (the extra ``batch``). The rest of the core runs without NumPy, and imports
nothing of this package.
"""

from __future__ import annotations

from faregate._lazy import lazy

# For type checkers and editors the same names stand in __init__.pyi; a test compares the two.
_NAMES = {
    "amount_due.donation": ("donation_amount",),
    "amount_due.vouchers": (
        "Goods",
        "NOT_PREPAID",
        "PrepaidColumns",
        "prepaid_breakdown",
        "redeem",
    ),
    "basket.contexts": ("ContextColumns",),
    "basket.lines": (
        "LineColumns",
        "NONE",
    ),
    "columns.offsets": (
        "Bucket",
        "buckets_of",
        "from_buckets",
        "offsets_of",
        "to_buckets",
    ),
    "discounts.automatic": ("NO_DISCOUNT",),
    "discounts.codes": (
        "CodeColumns",
        "CodeResults",
    ),
    "discounts.eligibility": (
        "REASONS",
        "VALID",
    ),
    "gate.price": (
        "GatePriceColumns",
        "Refusal",
        "gate_price",
        "refused_requests",
    ),
    "gate.requests": ("GateColumns",),
    "insights.distribution": (
        "grouped_prices",
        "price_distribution",
        "price_distributions",
        "quantiles",
    ),
    "insights.prices": ("PriceHistogram",),
    "money.allocation": (
        "Allocation",
        "allocate",
        "allocate_bucket",
        "allocate_capped",
        "split_evenly",
    ),
    "money.rounding": (
        "divide_rounded",
        "round_to_increment",
    ),
    "subscriptions.proration": ("prorate",),
    "subscriptions.schedule": (
        "next_billing_date",
        "renewal_date",
        "renewal_dates",
    ),
    "tax.net_gross": (
        "gross_from_net",
        "net_from_gross",
    ),
    "totals.figures": ("LineTotals",),
    "totals.pipeline": (
        "CheckoutTotals",
        "VatColumns",
        "VoucherColumns",
        "checkout_totals",
        "vat_breakdown",
    ),
    "validity.options": (
        "NO_PRICE",
        "SeasonCalendar",
        "UNLIMITED",
        "season",
        "season_capacity",
        "season_prices",
    ),
    "validity.windows": (
        "Extremes",
        "NO_WINDOW",
        "window_extremes",
        "window_maximum",
        "window_minimum",
    ),
}
__all__ = [name for names in _NAMES.values() for name in names]  # strings, all of them

__getattr__, __dir__ = lazy(__name__, _NAMES, extra="faregate[batch]")
