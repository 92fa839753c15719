"""Records are found, saved and erased, each at its revision and together with related changes."""

import asyncio

import pytest

from faregate_http.store.contract import AnswerTaken, Hold, SoldOut, Stale, Store
from faregate_http.store.records import (
    AccountRow,
    OrderRow,
    PaymentDetailRow,
    PaymentRow,
    PersonRow,
    Record,
    TicketRow,
)
from support.stores.capacity import DAY, LATER, NOW, POOL, a_hold, a_holder
from support.stores.rows import CHECKOUT_ID, a_row, an_answer

ACCOUNT = AccountRow(7, 1, NOW, "https://id.example", "s1", "a@example.com", "CUSTOMER", "de", "{}")
PERSON = PersonRow(11, 1, NOW, 7, True, '{"firstName": "Zoë"}')
DETAIL = PaymentDetailRow(
    21, 1, NOW, 7, CHECKOUT_ID, "t1", "ACTIVE", True, "VIS", "Visa", "xxxx 4242", "alias", "{}", LATER
)
PAYMENT = PaymentRow(
    "p1",
    1,
    NOW,
    CHECKOUT_ID,
    "PENDING",
    "GATEWAY",
    21,
    "VIS",
    2**50,
    "CHF",
    "[]",
    "[]",
    LATER,
    "https://bank.example/",
    "k",
    NOW,
)
ORDER = OrderRow(CHECKOUT_ID, 1, NOW, None, "c", "WEB", "FG-1", "CHF", 7900, "{}", b"\x00\xff", "{}")
TICKET = TicketRow("t1", 1, NOW, CHECKOUT_ID, 2**31 - 1, "OPEN", 0, None, NOW)
ALL: tuple[Record, ...] = (ACCOUNT, PERSON, DETAIL, PAYMENT, ORDER, TICKET)


async def of_its_kind(store: Store, record: Record) -> list[Record]:
    found = await store.find(type(record), id=record.id)  # type: ignore[type-var]  # one of the kinds
    return [*found]


@pytest.mark.parametrize("record", ALL, ids=lambda record: type(record).__name__)
async def test_a_record_is_found_as_it_was_saved(store: Store, record: Record) -> None:
    await store.save(a_row(), records=ALL)

    (found,) = await of_its_kind(store, record)

    assert found == record
    assert list(map(type, found)) == list(map(type, record))


async def test_records_are_found_by_all_criteria_oldest_first(store: Store) -> None:
    younger, older = PERSON._replace(id=3, created_at=NOW + 1), PERSON._replace(id=4)
    other = PERSON._replace(id=5, is_owner=False)
    await store.save(None, records=[ACCOUNT, younger, older, other])

    assert await store.find(PersonRow, account=7, is_owner=True) == [older, younger]
    assert await store.find(PersonRow, account=7, limit=1) == [older]
    assert await store.find(PersonRow, account=8) == []


async def test_records_are_found_in_pages(store: Store) -> None:
    persons = [PERSON._replace(id=n, created_at=NOW + at) for at in range(3) for n in (3 * at, 3 * at + 1)]
    await store.save(None, records=[ACCOUNT, PERSON, *reversed(persons)])
    last, pieces = None, list[list[PersonRow]]()
    while found := await store.find(PersonRow, account=7, is_owner=True, limit=3, after=last):
        pieces.append(found)
        last = found[-1]

    assert pieces == [[*persons[:2], PERSON], persons[2:5], persons[5:]]
    assert await store.find(PersonRow, account=8, after=PERSON) == []


async def test_only_due_records_are_found_in_order(store: Store) -> None:
    due = [TICKET._replace(id=f"t{at}", due_at=at) for at in (5, 3, 4)]
    never = TICKET._replace(id="never", due_at=None)
    await store.save(a_row(), records=[ORDER, *due, never])

    assert await store.due(TicketRow, 4) == [due[1], due[2]]
    assert await store.due(TicketRow, 9, limit=1) == [due[1]]
    assert await store.due(TicketRow, 2) == []
    assert await store.due(PersonRow, 9) == []


@pytest.mark.parametrize("revision", [1, 2, 4])
async def test_a_stale_record_saves_nothing(store: Store, revision: int) -> None:
    await store.save(None, records=[ACCOUNT])
    await store.save(None, records=[ACCOUNT._replace(revision=2, email="b@example.com")])

    with pytest.raises(Stale) as caught:
        await store.save(
            a_row(), an_answer(), records=[PERSON, ACCOUNT._replace(revision=revision, email="c")]
        )

    assert (caught.value.row_id, caught.value.revision) == (7, revision)
    assert await store.checkout(CHECKOUT_ID) is None
    assert await store.answer(an_answer().scope, an_answer().key) is None
    assert await store.find(PersonRow, account=7) == []
    assert [found.email for found in await store.find(AccountRow, id=7)] == ["b@example.com"]


@pytest.mark.parametrize(
    "second",
    [
        ACCOUNT._replace(id=8),
        DETAIL._replace(id=22),
        DETAIL._replace(id=22, transaction_id="t2"),
        ORDER._replace(id="c2"),
    ],
    ids=["an identity has one account", "a transaction", "an account has one default", "a printed number"],
)
async def test_a_duplicate_of_a_unique_value_is_stale(store: Store, second: Record) -> None:
    await store.save(a_row(), records=ALL)
    await store.save(a_row("c2"))

    with pytest.raises(Stale) as caught:
        await store.save(None, records=[second])

    assert caught.value.row_id == second.id
    assert await of_its_kind(store, second) == []


async def test_a_default_can_only_be_passed_on_in_order(store: Store) -> None:
    waiting = DETAIL._replace(id=22, transaction_id="t2", status="PENDING")
    await store.save(None, records=[ACCOUNT, DETAIL, waiting])
    active = waiting._replace(revision=2, status="ACTIVE")
    with pytest.raises(Stale):
        await store.save(None, records=[active])

    await store.save(None, records=[DETAIL._replace(revision=2, is_default=False), active])

    (default,) = await store.find(PaymentDetailRow, account=7, is_default=True)
    assert default == active


async def test_an_erased_record_must_be_current_and_frees_its_unique_values(store: Store) -> None:
    await store.save(None, records=[ACCOUNT, PERSON, DETAIL])
    with pytest.raises(Stale):
        await store.save(None, erased=[PERSON, DETAIL._replace(revision=2)])
    assert await store.find(PersonRow, account=7) == [PERSON]

    await store.save(None, records=[DETAIL._replace(id=22)], erased=[PERSON, DETAIL])

    assert await store.find(PersonRow, account=7) == []
    assert [found.id for found in await store.find(PaymentDetailRow, account=7)] == [22]


@pytest.mark.parametrize(
    "wrong",
    [
        ACCOUNT._replace(revision=0),
        ACCOUNT._replace(email="\udc80"),
        ACCOUNT._replace(id=2**63),
        PERSON._replace(account=99),
        PAYMENT._replace(amount=-1),
        PAYMENT._replace(checkout_id="none"),
        ORDER._replace(id="none"),
        TICKET._replace(order_id="none"),
    ],
    ids=["revision", "surrogate", "number", "account", "amount", "checkout", "order", "ticket"],
)
async def test_invalid_records_are_refused(store: Store, wrong: Record) -> None:
    with pytest.raises((ValueError, Stale)):
        await store.save(a_row(), records=[wrong])

    assert await store.checkout(CHECKOUT_ID) is None


async def test_a_settlement_is_all_or_nothing(store: Store) -> None:
    await store.save(a_holder(CHECKOUT_ID), None, [a_hold(10)])
    await store.save(None, an_answer())
    closed = a_holder(CHECKOUT_ID, revision=2, is_closed=True)

    with pytest.raises(AnswerTaken):
        await store.save(closed, an_answer(), records=[ORDER, TICKET])
    assert await store.find(OrderRow, id=CHECKOUT_ID) == []
    assert [count.sold for count in await store.taken([POOL], DAY, DAY, at=NOW)] == [0]

    await store.save(closed, an_answer("k2"), records=[ORDER, TICKET])
    assert await store.find(OrderRow, id=CHECKOUT_ID) == [ORDER]
    assert [count.sold for count in await store.taken([POOL], DAY, DAY, at=NOW)] == [10]


async def test_holds_of_a_checkout_closed_in_the_same_save_are_sold(store: Store) -> None:
    voucher = Hold("voucher:GIFT", "", 5000, 5000)
    await store.save(a_holder(CHECKOUT_ID, is_closed=True), None, [a_hold(4), voucher], records=[ORDER])

    assert sorted(await store.taken([POOL, "voucher:GIFT"], "", "~", at=NOW)) == [
        (POOL, DAY, 4, 0),
        ("voucher:GIFT", "", 5000, 0),
    ]
    with pytest.raises(SoldOut) as caught:
        await store.save(a_holder("second"), None, [voucher._replace(units=1)])
    assert caught.value.pool == "voucher:GIFT"


async def test_one_of_many_saves_of_one_revision_succeeds(store: Store) -> None:
    await store.save(None, records=[ACCOUNT])
    rivals = [ACCOUNT._replace(revision=2, email=f"{n}@example.com") for n in range(30)]

    outcomes = await asyncio.gather(
        *[store.save(None, records=[rival]) for rival in rivals], return_exceptions=True
    )

    assert sorted(str(type(outcome).__name__) for outcome in outcomes) == ["NoneType", *["Stale"] * 29]
    (found,) = await store.find(AccountRow, id=7)
    assert found == rivals[outcomes.index(None)]
