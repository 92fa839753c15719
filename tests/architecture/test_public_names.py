"""The public names: a contract with everyone who imports faregate."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path
from typing import Any

import pytest

import faregate

# Extend freely; a name leaves or changes only with a deprecation.
PUBLIC_NAMES = {
    "Absolute",
    "AccessPrice",
    "AccessRequest",
    "Address",
    "Allocation",
    "AllocationMode",
    "Allowance",
    "AllowanceKind",
    "AppliedCode",
    "AutomaticDiscount",
    "BillingPeriod",
    "BuyXGetY",
    "Calendar",
    "CapacityRange",
    "Catalogue",
    "Checkout",
    "CheckoutConditions",
    "CheckoutItem",
    "CheckoutStatus",
    "CheckoutTotals",
    "Conditions",
    "Context",
    "Currency",
    "Customer",
    "DateRange",
    "DayCount",
    "Days",
    "Duration",
    "EveryDays",
    "Explanation",
    "FaregateError",
    "Fault",
    "FaultCode",
    "Feasibility",
    "FirstPeriod",
    "FixedPrice",
    "GrossNet",
    "Interval",
    "InvoiceTotals",
    "ItemRequest",
    "Level",
    "Line",
    "LineTotals",
    "ListPrice",
    "MinorUnits",
    "Missing",
    "Money",
    "MonthEnd",
    "Monthly",
    "MonthlyOn",
    "Obstacle",
    "Occasion",
    "OfferedPrice",
    "PerUnit",
    "Percentage",
    "Pool",
    "PoolSlot",
    "PriceBenchmark",
    "PriceDistribution",
    "PriceInsight",
    "PriceLevel",
    "PriceRange",
    "PriceSummary",
    "PriceThreshold",
    "PricedCheckout",
    "PromoCode",
    "QuantileMethod",
    "RankKind",
    "Reason",
    "Redemption",
    "RejectedCode",
    "Requirements",
    "RoundingMode",
    "Rule",
    "Rules",
    "Scope",
    "Season",
    "Step",
    "SubscriptionConfiguration",
    "SubscriptionTerms",
    "SuggestedValidities",
    "Suggestion",
    "Taken",
    "Threshold",
    "TotalsPolicy",
    "Trace",
    "UnknownCode",
    "ValidityOption",
    "ValidityOptions",
    "ValidityQuery",
    "VatCategory",
    "VatRate",
    "Voucher",
    "Yearly",
    "YearlyOn",
    "access_price",
    "add_code",
    "add_items",
    "add_months",
    "allocate",
    "allocate_capped",
    "allowances_of",
    "billing_period",
    "bind_account",
    "change_quantity",
    "check_payable",
    "check_places",
    "checkout_totals",
    "claimed_allowances",
    "demand",
    "divide",
    "donation_amount",
    "drop_code",
    "en16931_totals",
    "explanation",
    "feasible",
    "first_period_price",
    "free_places",
    "gross_from_net",
    "item_totals",
    "list_price",
    "minimum_term_end",
    "net_from_gross",
    "next_available",
    "next_billing_date",
    "offered_prices",
    "places_of",
    "price_checkout",
    "price_insight",
    "price_ranges",
    "pricing_lines",
    "prorate",
    "redeem",
    "remaining",
    "remove_items",
    "renewal_date",
    "renewal_dates",
    "requirements_of",
    "round_to_increment",
    "set_conditions",
    "split",
    "subscription_configuration",
    "suggest_validities",
    "validity_options",
}

PACKAGE: Any = faregate
FACES = {"faregate.batch", "faregate.frames", "faregate.plot"}
FOUND = [*pkgutil.walk_packages(faregate.__path__, "faregate.")]
SUBMODULES = sorted(module.name for module in FOUND)
ROOMS = sorted({module.name for module in FOUND if module.ispkg} - FACES)
STUB = Path(faregate.__path__[0], "__init__.pyi")


def test_public_names_are_exactly_these() -> None:
    assert sorted(PACKAGE.__all__) == sorted(PUBLIC_NAMES)


@pytest.mark.parametrize("name", sorted(PUBLIC_NAMES))
def test_public_name_resolves(name: str) -> None:
    assert hasattr(faregate, name)


def test_no_public_name_is_overwritten_by_a_submodule_of_that_name() -> None:
    assert {f"faregate.{name}" for name in PUBLIC_NAMES}.isdisjoint(SUBMODULES)


def test_dir_shows_every_public_name() -> None:
    assert set(dir(faregate)) >= PUBLIC_NAMES


def test_star_import_brings_every_public_name() -> None:
    namespace: dict[str, object] = {}
    exec("from faregate import *", namespace)

    assert namespace.keys() >= PUBLIC_NAMES


def test_type_checkers_see_each_public_name_in_the_module_it_comes_from() -> None:
    imports = [
        node for node in ast.walk(ast.parse(STUB.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    declared = {alias.asname: node.module for node in imports for alias in node.names}

    assert declared.keys() == PUBLIC_NAMES
    for name, module in declared.items():
        assert getattr(PACKAGE, str(name)) is getattr(importlib.import_module(str(module)), str(name))


def test_unknown_attribute_is_refused_by_name() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = PACKAGE.no_such_name


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_has_no_names_of_its_own(name: str) -> None:
    face = Path(importlib.import_module(name).__path__[0], "__init__.py")

    assert [type(node) for node in ast.parse(face.read_text("utf-8")).body] == [ast.Expr]


@pytest.mark.parametrize("name", sorted({*SUBMODULES} - {*ROOMS}))
def test_submodule_lists_its_names_and_each_resolves(name: str) -> None:
    module: Any = importlib.import_module(name)

    assert len(module.__all__) == len(set(module.__all__))
    assert [public for public in module.__all__ if not hasattr(module, public)] == []
