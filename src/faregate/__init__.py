"""Prices and bookings for ticketing, exact to the last cent.

Nothing is loaded until it is used: each name below is imported from its module on first access. Three
names stay in their modules, because the package attribute of that name is the module itself:
``faregate.currency.currency``, ``faregate.proration.proration`` and ``faregate.receipt.receipt``.
"""

from __future__ import annotations

from importlib import import_module

# For type checkers and editors the same names stand in __init__.pyi; a test compares the two.
_NAMES = {
    "access": (
        "AccessPrice",
        "AccessRequest",
        "access_price",
    ),
    "allocation": (
        "Allocation",
        "AllocationMode",
        "allocate",
        "allocate_capped",
        "split",
    ),
    "allowances": (
        "Allowance",
        "AllowanceKind",
        "allowances_of",
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
        "MonthEnd",
        "add_months",
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
        "UnknownCode",
    ),
    "donation": ("donation_amount",),
    "eligibility": (
        "Context",
        "Missing",
        "Reason",
    ),
    "errors": ("FaregateError",),
    "explain": (
        "Explanation",
        "explanation",
    ),
    "faults": (
        "Fault",
        "FaultCode",
    ),
    "insights": (
        "PriceBenchmark",
        "PriceDistribution",
        "PriceInsight",
        "PriceLevel",
        "PriceSummary",
        "PriceThreshold",
        "QuantileMethod",
        "RankKind",
        "price_insight",
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
    "observations": (
        "OfferedPrice",
        "offered_prices",
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
    "renewals": (
        "BillingPeriod",
        "DayCount",
        "EveryDays",
        "FirstPeriod",
        "Monthly",
        "MonthlyOn",
        "SubscriptionConfiguration",
        "SubscriptionTerms",
        "Yearly",
        "YearlyOn",
        "billing_period",
        "first_period_price",
        "minimum_term_end",
        "next_billing_date",
        "prorate",
        "renewal_date",
        "renewal_dates",
        "subscription_configuration",
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
    "rules": ("Rules",),
    "settlement": (
        "Customer",
        "Requirements",
        "check_payable",
        "claimed_allowances",
        "requirements_of",
    ),
    "stacking": (
        "AppliedCode",
        "RejectedCode",
    ),
    "tax": (
        "GrossNet",
        "VatCategory",
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
