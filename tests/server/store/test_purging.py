"""A purge deletes only abandoned checkouts that nothing else needs, on every database."""

from itertools import product

from faregate_http.store.contract import Store
from faregate_http.store.records import OrderRow, PaymentDetailRow, PaymentRow, Record
from support.stores.capacity import LATER, NOW, a_hold, a_holder
from support.stores.rows import a_row

_FACTS = ("is_closed", "holds", "is_paying", "has_payment", "is_recent", "is_outside")


def _payment(checkout_id: str) -> PaymentRow:
    return PaymentRow(
        *(f"p-{checkout_id}", 1, NOW, checkout_id, "FAILED", "GATEWAY", None, "VIS", 5, "CHF", "[]"),
        *("[]", NOW),
    )


def _detail(number: int, checkout_id: str) -> PaymentDetailRow:
    return PaymentDetailRow(
        *(number, 1, NOW, None, checkout_id, f"t-{checkout_id}", "EXPIRED", False, None, "", "", None, "{}")
    )


async def _fill(store: Store) -> set[str]:
    """Save a checkout for each combination of facts; return the ids of those that nothing needs."""
    unneeded = set()
    for number, facts in enumerate(product((False, True), repeat=len(_FACTS)), 1):
        is_closed, holds, is_paying, has_payment, is_recent, is_outside = facts
        name = f"{'z' if is_outside else 'c'}-{number:02}"
        row = a_row(name)._replace(is_paying=is_paying, expires_at=LATER if is_recent else LATER - 1)
        records: list[Record] = [_detail(number, name)]
        if has_payment:
            records.append(_payment(name))
        await store.save(row, None, [a_hold(size=100)] if holds else None, records=records)
        if is_closed:
            order = OrderRow(name, 1, NOW, None, "c", "WEB", f"FG-{number}", "CHF", 5, "{}", b"", "{}")
            await store.save(row._replace(revision=2, is_closed=True), records=[order])
        if not any(facts):
            unneeded.add(name)
    return unneeded


async def test_only_abandoned_checkouts_that_nothing_needs_are_purged(store: Store) -> None:
    unneeded = await _fill(store)
    before = {row.id for row in await store.walk()}
    taken = await store.taken(["lift"], "", "~", at=NOW)

    assert await store.purge_checkouts("", "c-99", before=LATER) == len(unneeded) == 1
    assert await store.purge_checkouts("", "c-99", before=LATER) == 0

    assert before - {row.id for row in await store.walk()} == unneeded
    details = {row.checkout_id for row in await store.find(PaymentDetailRow)}
    assert before - details == unneeded
    assert len(await store.find(PaymentRow)) == len(await store.find(OrderRow)) == 32
    assert await store.taken(["lift"], "", "~", at=NOW) == taken


async def test_a_purge_ends_at_its_bounds(store: Store) -> None:
    for name in "abcd":
        await store.save(a_holder(name, expires_at=LATER))

    assert await store.purge_checkouts("a", "c", before=LATER + 1) == 2

    assert [row.id for row in await store.walk()] == ["a", "d"]
    await store.save(a_holder("b"))  # the id is unknown again
