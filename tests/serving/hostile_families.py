"""All families of operations with their hostile requests, and which kinds a family cannot have."""

from collections.abc import Mapping

from serving import (
    hostile_accounts,
    hostile_checkout,
    hostile_details,
    hostile_gate,
    hostile_insights,
    hostile_offers,
    hostile_orders,
    hostile_pages,
    hostile_payment,
    hostile_persons,
    hostile_system,
)
from serving.hostility import OPERATIONS, Family, Kind, Request, Row

ROWS: Mapping[Family, tuple[Row, ...]] = {
    Family.CHECKOUT: tuple(hostile_checkout.rows()),
    Family.PAYMENT: tuple(hostile_payment.rows()),
    Family.BOOKING: tuple(hostile_offers.booking_rows()),
    Family.PRODUCTS: tuple(hostile_offers.product_rows()),
    Family.INSIGHTS: tuple(hostile_insights.rows()),
    Family.GATE: tuple(hostile_gate.rows()),
    Family.DETAILS: tuple(hostile_details.rows()),
    Family.ACCOUNTS: tuple(hostile_accounts.rows()),
    Family.PERSONS: tuple(hostile_persons.rows()),
    Family.ORDERS: tuple(hostile_orders.rows()),
    Family.PAGES: tuple(hostile_pages.rows()),
    Family.SYSTEM: tuple(hostile_system.rows()),
}

GOOD: Mapping[Family, Mapping[str, Request]] = {
    Family.CHECKOUT: OPERATIONS,
    Family.PAYMENT: hostile_payment.OPERATIONS,
    Family.BOOKING: hostile_offers.BOOKING,
    Family.PRODUCTS: hostile_offers.PRODUCTS,
    Family.INSIGHTS: hostile_insights.OPERATIONS,
    Family.GATE: hostile_gate.OPERATIONS,
    Family.DETAILS: hostile_details.OPERATIONS,
    Family.ACCOUNTS: hostile_accounts.OPERATIONS,
    Family.PERSONS: hostile_persons.OPERATIONS,
    Family.ORDERS: hostile_orders.OPERATIONS,
    Family.PAGES: hostile_pages.OPERATIONS,
    Family.SYSTEM: hostile_system.OPERATIONS,
}
"""What the rows of each family spoil: requests that are answered well."""

NOT_OF: Mapping[Family, frozenset[Kind]] = {
    # They take no values, so that there is nothing to be of a wrong type, or of others, or not the client's.
    Family.SYSTEM: frozenset({Kind.TYPES, Kind.RANGES, Kind.IDS, Kind.READ_ONLY}),
}
"""Kinds that a family has nothing of."""
