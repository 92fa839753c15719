"""A running service, its clock and its customers, for the tests of the HTTP interface."""

from support.service.fixtures import (
    client,
    clock,
    customer,
    provider,
    service,
    service_with_accounts,
    steady,
    subject,
    till,
    till_url,
    walker,
)

__all__ = [
    "client",
    "clock",
    "customer",
    "provider",
    "service",
    "service_with_accounts",
    "steady",
    "subject",
    "till",
    "till_url",
    "walker",
]
