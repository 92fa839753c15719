"""Prices and bookings for ticketing, exact to the last cent.

Nothing is loaded until it is used: each name below is imported from its module on first access. Three
functions stay in their modules: ``faregate.money.currency.currency``,
``faregate.subscriptions.proration.proration`` and ``faregate.render.receipts.receipt``.
"""

from __future__ import annotations

from importlib import import_module

# For type checkers and editors the same names stand in __init__.pyi; a test compares the two.
_NAMES = {
    "amount_due.donation": ("donation_amount",),
    "amount_due.vouchers": (
        "Redemption",
        "Voucher",
        "redeem",
    ),
    "basket.lines": (
        "Line",
        "pricing_lines",
    ),
    "basket.policy": ("TotalsPolicy",),
    "catalogue.calendars": (
        "Calendar",
        "Days",
        "Season",
    ),
    "catalogue.catalogue": ("Catalogue",),
    "catalogue.pools": (
        "Pool",
        "PoolSlot",
        "Taken",
    ),
    "checkout.changes": (
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
    "checkout.code_limits": (
        "Allowance",
        "AllowanceKind",
        "allowances_of",
    ),
    "checkout.held_units": (
        "check_places",
        "places_of",
    ),
    "checkout.model": (
        "Address",
        "Checkout",
        "CheckoutConditions",
        "CheckoutItem",
    ),
    "checkout.priced": (
        "PricedCheckout",
        "price_checkout",
    ),
    "checkout.requirements": (
        "Customer",
        "Requirements",
        "check_payable",
        "claimed_allowances",
        "requirements_of",
    ),
    "dates.instants": (
        "DateRange",
        "Duration",
        "Interval",
        "MonthEnd",
        "add_months",
    ),
    "discounts.eligibility": (
        "Context",
        "Missing",
        "Reason",
    ),
    "discounts.kinds": (
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
    "discounts.pricing_rules": ("Rules",),
    "discounts.promo_codes": (
        "AppliedCode",
        "RejectedCode",
    ),
    "errors": ("FaregateError",),
    "explain.explanation": (
        "Explanation",
        "explanation",
    ),
    "faults": (
        "Fault",
        "FaultCode",
    ),
    "gate.price": (
        "AccessPrice",
        "AccessRequest",
        "access_price",
    ),
    "insights.distribution": (
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
    "list_prices.price": (
        "ListPrice",
        "Occasion",
        "list_price",
    ),
    "money.allocation": (
        "Allocation",
        "AllocationMode",
        "allocate",
        "allocate_capped",
        "split",
    ),
    "money.amounts": (
        "MinorUnits",
        "Money",
    ),
    "money.currency": ("Currency",),
    "money.rounding": (
        "RoundingMode",
        "divide",
        "round_to_increment",
    ),
    "subscriptions.schedule": (
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
    "tax.rates": (
        "GrossNet",
        "VatCategory",
        "VatRate",
        "gross_from_net",
        "net_from_gross",
    ),
    "totals.invoice": (
        "InvoiceTotals",
        "en16931_totals",
    ),
    "totals.pipeline": (
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
    "validity.bookability": ("Obstacle",),
    "validity.capacity": (
        "Feasibility",
        "demand",
        "feasible",
        "free_places",
        "remaining",
    ),
    "validity.offered_prices": (
        "OfferedPrice",
        "offered_prices",
    ),
    "validity.offers": (
        "CapacityRange",
        "PriceRange",
        "ValidityOption",
    ),
    "validity.options": (
        "SuggestedValidities",
        "Suggestion",
        "ValidityOptions",
        "ValidityQuery",
        "next_available",
        "price_ranges",
        "suggest_validities",
        "validity_options",
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
