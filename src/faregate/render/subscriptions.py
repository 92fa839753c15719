"""A subscription as it is ordered, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.render.markup import Table

if TYPE_CHECKING:
    from faregate.subscriptions.schedule import SubscriptionConfiguration


def subscription_html(found: SubscriptionConfiguration) -> str:
    """Return a table with a row for each date that is settled, and what is paid first."""
    paid = f"{found.first.days} of {found.whole.days} days, those before {found.first.end}"
    rows = (
        ("starts on", f"{found.starts_on:%Y-%m-%d %H:%M %Z}"),
        ("first payment is for", paid),
        ("next billing", f"{found.next_billing_date:%Y-%m-%d %H:%M %Z}"),
        ("runs at least", f"{found.minimal_run_periods} periods"),
        ("may end on", found.earliest_end.isoformat()),
        ("is fetched", "yes" if found.has_pickup else "no"),
    )
    return Table(("Subscription", str(found.rule)), rows, texts=frozenset({0, 1})).html()
