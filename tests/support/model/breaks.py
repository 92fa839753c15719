"""Mutations of the service, each with one plausible mistake."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import faregate.checkout.changes
import faregate.checkout.priced
import faregate.discounts.amounts
import faregate.money.allocation
import faregate_http.checkouts.checkouts
import faregate_http.checkouts.records
import faregate_http.inventory.inventory
import faregate_http.ordering.payments
import faregate_http.ordering.proposals
from faregate.checkout.code_limits import LimitKind
from faregate.checkout.expiry import CheckoutStatus
from faregate.checkout.requirements import claimed_code_limits
from faregate.money.allocation import AllocationMode, allocate
from faregate.totals.pipeline import checkout_totals
from faregate_http.checkouts.responses import CheckoutResponses
from faregate_http.idempotency import Idempotency
from faregate_http.inventory.inventory import Inventory
from faregate_http.protocol.etags import make_etag
from faregate_http.protocol.instants import millis
from faregate_server.store.sqlite.holds import HoldStep

Break = Callable[[pytest.MonkeyPatch], None]


def expired_holds_count(patch: pytest.MonkeyPatch) -> None:
    """The units held by an expired checkout are not released."""
    patch.setattr(faregate_http.inventory.inventory, "millis", lambda _: 0)


def fewer_items_hold_as_much(patch: pytest.MonkeyPatch) -> None:
    """Units of removed items are not released."""
    patch.setattr(HoldStep, "_let_go", lambda *_: None)


def codes_are_used_for_nothing(patch: pytest.MonkeyPatch) -> None:
    """A code that may be used once can be used by everyone."""

    def without_uses(totals: Any) -> Any:
        return {
            what: units
            for what, units in claimed_code_limits(totals).items()
            if what.kind is not LimitKind.USES
        }

    patch.setattr(faregate_http.inventory.inventory, "claimed_code_limits", without_uses)


def balances_are_each_ones_own(patch: pytest.MonkeyPatch) -> None:
    """The amounts that others have used of a voucher or a budget are ignored."""

    async def nothing(*_: object, **__: object) -> tuple[()]:
        return ()

    patch.setattr(Inventory, "spent", nothing)


def lines_are_rounded_by_the_unit(patch: pytest.MonkeyPatch) -> None:
    """A percentage is rounded per unit, not per line."""
    line_amount = faregate.discounts.amounts.line_amount

    def by_the_unit(kind: Any, price: Any, units: int, policy: Any) -> Any:
        return line_amount(kind, price // units, 1, policy) * units

    patch.setattr(faregate.discounts.amounts, "line_amount", by_the_unit)


def the_first_gets_the_cent(patch: pytest.MonkeyPatch) -> None:
    """Remainders of an allocation go to the first items, not to the largest remainders."""

    def first(amount: int, weights: Any) -> Any:
        return allocate(amount, weights, mode=AllocationMode.FIRST)

    patch.setattr(faregate.money.allocation, "allocate", first)


def vouchers_pay_donations(patch: pytest.MonkeyPatch) -> None:
    """A voucher pays the donation as well as the items."""

    def generous(lines: Any, *, policy: Any, **others: Any) -> Any:
        return checkout_totals(lines, policy=replace(policy, vouchers_pay_donation=True), **others)

    patch.setattr(faregate.checkout.priced, "checkout_totals", generous)


def checkouts_expire_a_moment_late(patch: pytest.MonkeyPatch) -> None:
    """A checkout still accepts changes at the instant of its expiry."""

    def status_of(row: Any, at: Any) -> CheckoutStatus:
        if row.is_closed:
            return CheckoutStatus.CLOSED
        return CheckoutStatus.EXPIRED if millis(at) > row.expires_at else CheckoutStatus.OPEN

    patch.setattr(faregate_http.checkouts.checkouts, "status_of", status_of)
    patch.setattr(faregate_http.checkouts.records, "status_of", status_of)


def keys_mean_nothing(patch: pytest.MonkeyPatch) -> None:
    """A repeated request is executed again."""

    async def once(_self: Any, _request: Any, _content: bytes, run: Any) -> Any:
        return await run()

    patch.setattr(Idempotency, "once", once)


def the_oldest_copies_go_first(patch: pytest.MonkeyPatch) -> None:
    """Reducing the quantity removes the original item and keeps its copy."""
    without = faregate.checkout.changes._without
    monkey = faregate.checkout.changes._fewer

    def fewer(checkout: Any, item: Any, number: int, catalogue: Any) -> Any:
        monkey(checkout, item, number, catalogue)  # same refusals as the original
        original = item.copy_of or item.id
        group = sorted(other.id for other in checkout.items if original in (other.id, other.copy_of))
        return without(checkout, group[:number])

    patch.setattr(faregate.checkout.changes, "_fewer", fewer)


def all_languages_have_one_etag(patch: pytest.MonkeyPatch) -> None:
    """A checkout read in German counts as not modified in English."""

    def etag(self: Any, revision: int, status: CheckoutStatus, _: Any) -> str:
        return make_etag(revision, status.value, "en", self._edition)

    patch.setattr(CheckoutResponses, "etag", etag)


def whoever_is_late_overwrites(patch: pytest.MonkeyPatch) -> None:
    """If-Match is ignored."""
    patch.setattr(faregate_http.checkouts.checkouts, "_check_revision", lambda *_: None)


def late_money_is_kept(patch: pytest.MonkeyPatch) -> None:
    """A payment can succeed after its deadline."""
    patch.setattr(faregate_http.ordering.payments, "is_open", lambda row, _: row.status == "PENDING")


def nobody_owns_a_checkout(patch: pytest.MonkeyPatch) -> None:
    """A checkout is not assigned to the account that requests it."""
    for module in (faregate_http.checkouts.checkouts, faregate_http.ordering.proposals):
        patch.setattr(module, "bind_account", lambda checkout, *_, **__: checkout)


BREAKS: dict[Break, int] = {
    expired_holds_count: 4,
    fewer_items_hold_as_much: 6,
    codes_are_used_for_nothing: 6,
    balances_are_each_ones_own: 7,
    lines_are_rounded_by_the_unit: 1,
    the_first_gets_the_cent: 4,
    vouchers_pay_donations: 3,
    checkouts_expire_a_moment_late: 3,
    keys_mean_nothing: 1,
    the_oldest_copies_go_first: 6,
    all_languages_have_one_etag: 1,
    whoever_is_late_overwrites: 7,
    late_money_is_kept: 6,
    nobody_owns_a_checkout: 8,
}
"""Each mutation with the seed of a walk that soon detects it."""
