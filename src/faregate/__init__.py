"""Prices and bookings for ticketing, exact to the last cent.

Nothing is loaded until it is used: each name below is imported from its module on first access. Two
names stay in their modules, because the package attribute of that name is the module itself:
``faregate.currency.currency`` and ``faregate.receipt.receipt``.
"""

from __future__ import annotations

from importlib import import_module

# For type checkers and editors the same names stand in __init__.pyi; a test compares the two.
_NAMES = {
    "allocation": (
        "Allocation",
        "AllocationMode",
        "allocate",
        "allocate_capped",
        "split",
    ),
    "bookability": ("Obstacle",),
    "calendars": (
        "Calendar",
        "Days",
        "Season",
    ),
    "capacity": (
        "Feasibility",
        "demand",
        "feasible",
        "free_places",
        "remaining",
    ),
    "catalogue": ("Catalogue",),
    "checkout": (
        "CheckoutStatus",
        "ItemRequest",
        "add_code",
        "add_items",
        "bind_account",
        "change_quantity",
        "drop_code",
        "remove_items",
        "set_conditions",
    ),
    "checkout_inputs": (
        "Address",
        "Checkout",
        "CheckoutConditions",
        "CheckoutItem",
    ),
    "checkout_pricing": (
        "PricedCheckout",
        "price_checkout",
    ),
    "currency": ("Currency",),
    "dates": (
        "DateRange",
        "Duration",
        "Interval",
    ),
    "discounts": (
        "Absolute",
        "AutomaticDiscount",
        "BuyXGetY",
        "Conditions",
        "FixedPrice",
        "Level",
        "PerUnit",
        "Percentage",
        "PromoCode",
        "Scope",
        "Threshold",
    ),
    "donation": ("donation_amount",),
    "eligibility": (
        "Context",
        "Reason",
    ),
    "errors": ("FaregateError",),
    "explain": (
        "Explanation",
        "explanation",
    ),
    "invoice": (
        "InvoiceTotals",
        "en16931_totals",
    ),
    "lines": (
        "Line",
        "pricing_lines",
    ),
    "money": (
        "MinorUnits",
        "Money",
    ),
    "offers": (
        "CapacityRange",
        "PriceRange",
        "ValidityOption",
    ),
    "policy": ("TotalsPolicy",),
    "pools": (
        "Pool",
        "PoolSlot",
        "Taken",
    ),
    "pricing": (
        "ListPrice",
        "Occasion",
        "list_price",
    ),
    "reservations": (
        "check_places",
        "places_of",
    ),
    "rounding": (
        "RoundingMode",
        "divide",
        "round_to_increment",
    ),
    "tax": (
        "GrossNet",
        "VatRate",
        "gross_from_net",
        "net_from_gross",
    ),
    "totals": (
        "CheckoutTotals",
        "LineTotals",
        "checkout_totals",
        "item_totals",
    ),
    "trace": (
        "Rule",
        "Step",
        "Trace",
    ),
    "validity": (
        "SuggestedValidities",
        "Suggestion",
        "ValidityOptions",
        "ValidityQuery",
        "next_available",
        "price_ranges",
        "suggest_validities",
        "validity_options",
    ),
    "vouchers": (
        "Redemption",
        "Voucher",
        "redeem",
    ),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOME]  # noqa: PLE0604  # every key is a string


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'faregate' has no attribute {name!r}")
    value = getattr(import_module(f"faregate.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
