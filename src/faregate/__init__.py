"""Prices and bookings for ticketing, exact to the last cent.

Nothing is loaded until it is used: each name below is imported from its module on first access. Three
functions stay in their modules: ``faregate.money.currency.currency``,
``faregate.subscriptions.proration.proration`` and ``faregate.render.receipt``.
"""

from __future__ import annotations

import sys
from importlib import import_module

from faregate._lazy import lazy

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
        "DayPattern",
        "Season",
    ),
    "catalogue.catalogue": ("Catalogue",),
    "catalogue.pools": (
        "Pool",
        "PoolSlot",
        "PoolUsage",
    ),
    "checkout.changes": (
        "add_code",
        "add_items",
        "bind_account",
        "change_quantity",
        "remove_code",
        "remove_items",
        "set_conditions",
    ),
    "checkout.code_limits": (
        "CodeLimit",
        "LimitKind",
        "code_limits",
    ),
    "checkout.expiry": ("CheckoutStatus",),
    "checkout.held_units": (
        "check_capacity",
        "units_held_by",
    ),
    "checkout.item_requests": ("ItemRequest",),
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
        "claimed_code_limits",
        "requirements_of",
    ),
    "dates.instants": (
        "DateRange",
        "Duration",
        "Interval",
    ),
    "dates.months": (
        "MonthEnd",
        "add_months",
    ),
    "discounts.eligibility": (
        "Context",
        "RejectionReason",
        "Shortfall",
    ),
    "discounts.kinds": (
        "Absolute",
        "AutomaticDiscount",
        "BuyXGetY",
        "Conditions",
        "DiscountLevel",
        "FixedPrice",
        "PerUnit",
        "Percentage",
        "PromoCode",
        "Scope",
        "Threshold",
        "UnknownCode",
    ),
    "discounts.pricing_rules": ("PricingRules",),
    "discounts.promo_codes": (
        "AppliedCode",
        "RejectedCode",
    ),
    "errors": (
        "FaregateError",
        "Issue",
        "IssueCode",
    ),
    "explanations.explanation": (
        "Explanation",
        "explain",
    ),
    "gate.price": (
        "GatePrice",
        "gate_price",
    ),
    "gate.requests": ("GateRequest",),
    "insights.distribution": (
        "PriceBenchmark",
        "PriceDistribution",
        "PriceInsight",
        "PriceLevel",
        "PriceThreshold",
        "price_insight",
    ),
    "insights.quantiles": (
        "PriceSummary",
        "QuantileMethod",
        "RankKind",
    ),
    "list_prices.price": (
        "ListPriceQuery",
        "list_price",
    ),
    "list_prices.steps": ("ListPrice",),
    "money.allocation": (
        "Allocation",
        "AllocationMode",
        "allocate",
        "allocate_capped",
        "split_evenly",
    ),
    "money.amounts": (
        "MinorUnits",
        "Money",
    ),
    "money.currency": ("Currency",),
    "money.rounding": (
        "RoundingMode",
        "divide_rounded",
        "round_to_increment",
    ),
    "subscriptions.proration": (
        "DayCount",
        "prorate",
    ),
    "subscriptions.rules": (
        "EveryDays",
        "Monthly",
        "MonthlyOn",
        "Yearly",
        "YearlyOn",
    ),
    "subscriptions.schedule": (
        "BillingPeriod",
        "FirstPeriod",
        "SubscriptionConfiguration",
        "SubscriptionTerms",
        "billing_period",
        "first_period_price",
        "minimum_term_end",
        "next_billing_date",
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
    "totals.items": ("item_totals",),
    "totals.pipeline": (
        "CheckoutTotals",
        "LineTotals",
        "checkout_totals",
    ),
    "trace": (
        "Step",
        "StepKind",
        "Trace",
    ),
    "validity.bookability": ("Obstacle",),
    "validity.capacity": (
        "Feasibility",
        "fits_capacity",
        "free_units",
        "max_units",
        "pool_demand",
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
__all__ = [name for names in _NAMES.values() for name in names]  # strings, all of them

__getattr__, __dir__ = lazy(__name__, _NAMES)


def _draw_in_notebooks() -> None:
    """Where IPython runs, its cells show values as tables and pictures."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None:
        notebooks = import_module("faregate.render.notebooks")
        notebooks.register(shell.display_formatter.formatters["text/html"])


_draw_in_notebooks()
