"""The contract of every store, on every database."""

import asyncio
import json

import pytest

from faregate_http.store.contract import AnswerTaken, CheckoutHead, Stale, Store, StoreUnavailable
from support.stores.rows import CHECKOUT_ID, SCOPE, a_row, an_answer, opened


async def test_unknown_keys_are_none(store: Store) -> None:
    assert await store.head(CHECKOUT_ID) is None
    assert await store.checkout(CHECKOUT_ID) is None
    assert await store.answer(SCOPE, "k1") is None


@pytest.mark.parametrize("account", [None, 0, 2**62])
@pytest.mark.parametrize("is_closed", [False, True])
async def test_a_saved_row_is_read_back_as_it_was(store: Store, account: int | None, is_closed: bool) -> None:
    inputs = json.dumps({"name": "Zoë 🎿", "lines": list(range(2000))}, ensure_ascii=False).encode()
    row = a_row(account=account, inputs=inputs)._replace(is_closed=is_closed)

    await store.save(row)

    assert await store.checkout(row.id) == row
    head = await store.head(row.id)
    assert head == CheckoutHead(row.channel, account, is_closed, 1, row.changed_at, row.expires_at)
    assert head.is_closed is is_closed


async def test_a_saved_answer_is_read_back_as_it_was(store: Store) -> None:
    answer = an_answer(body=bytes(range(256)) * 40)

    await store.save(None, answer)

    assert await store.answer(answer.scope, answer.key) == answer
    assert await store.answer("another scope", answer.key) is None


async def test_saved_data_survives_closing(store: Store, database_url: str) -> None:
    await store.save(a_row(), an_answer())
    await store.close()

    async with opened(database_url) as later:
        assert await later.checkout(CHECKOUT_ID) == a_row()
        assert await later.answer(SCOPE, "k1") == an_answer()


async def test_a_new_revision_replaces_the_previous_one_entirely(store: Store) -> None:
    later = a_row(revision=2, account=7, inputs=b'{"items":[1]}')._replace(
        channel="another", is_closed=True, started_at=1, changed_at=3, expires_at=9
    )

    await store.save(a_row())
    await store.save(later)

    assert await store.checkout(CHECKOUT_ID) == later


@pytest.mark.parametrize("revision", [1, 2, 4])
async def test_a_row_that_does_not_follow_the_stored_one_is_stale(store: Store, revision: int) -> None:
    await store.save(a_row())
    await store.save(a_row(revision=2))

    with pytest.raises(Stale, match=CHECKOUT_ID) as caught:
        await store.save(a_row(revision=revision, inputs=b"[]"))

    assert (caught.value.row_id, caught.value.revision) == (CHECKOUT_ID, revision)
    assert await store.checkout(CHECKOUT_ID) == a_row(revision=2)


async def test_a_later_revision_of_a_missing_checkout_is_stale(store: Store) -> None:
    with pytest.raises(Stale):
        await store.save(a_row(revision=2))

    assert await store.head(CHECKOUT_ID) is None


async def test_a_second_answer_to_one_key_is_refused(store: Store) -> None:
    await store.save(None, an_answer())

    with pytest.raises(AnswerTaken) as caught:
        await store.save(None, an_answer(body=b"other"))

    assert (caught.value.scope, caught.value.key) == (SCOPE, "k1")
    assert await store.answer(SCOPE, "k1") == an_answer()


async def test_a_refused_answer_also_discards_its_row(store: Store) -> None:
    await store.save(a_row(), an_answer())

    with pytest.raises(AnswerTaken):
        await store.save(a_row(revision=2), an_answer())
    with pytest.raises(AnswerTaken):
        await store.save(a_row("another"), an_answer())

    assert await store.checkout(CHECKOUT_ID) == a_row()
    assert await store.head("another") is None


async def test_a_stale_row_also_discards_its_answer(store: Store) -> None:
    await store.save(a_row())

    with pytest.raises(Stale):
        await store.save(a_row(revision=3), an_answer())

    assert await store.answer(SCOPE, "k1") is None


async def test_refused_saves_do_not_affect_concurrent_ones(store: Store) -> None:
    good = [a_row(f"good-{number}") for number in range(40)]

    await store.save(a_row(), an_answer("taken"))
    saves = []
    for number, row in enumerate(good):
        saves += [store.save(row, an_answer(f"good-{number}")), store.save(a_row(revision=9))]
        saves += [store.save(a_row(f"bad-{number}"), an_answer("taken"))]
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [type(None), Stale, AnswerTaken] * len(good)
    for number, row in enumerate(good):
        assert await store.checkout(row.id) == row
        assert await store.answer(SCOPE, f"good-{number}") is not None
        assert await store.head(f"bad-{number}") is None


async def test_exactly_one_of_64_saves_of_one_revision_succeeds(store: Store) -> None:
    def contender(revision: int, number: int) -> bytes:
        return json.dumps([revision, number]).encode()

    for revision in range(1, 11):
        saves = [
            store.save(a_row(revision=revision, inputs=contender(revision, number))) for number in range(64)
        ]
        outcomes = await asyncio.gather(*saves, return_exceptions=True)

        winners = [number for number, outcome in enumerate(outcomes) if outcome is None]
        assert [type(outcome) for outcome in outcomes].count(Stale) == 63
        stored = await store.checkout(CHECKOUT_ID)
        assert stored is not None
        assert stored.inputs == contender(revision, winners[0])


async def test_loading_and_deciding_again_loses_no_change(store: Store) -> None:
    async def append(store: Store, number: int) -> None:
        while True:
            row = await store.checkout(CHECKOUT_ID)
            assert row is not None
            numbers = [*json.loads(row.inputs), number]
            try:
                await store.save(row._replace(revision=row.revision + 1, inputs=json.dumps(numbers).encode()))
            except Stale:
                continue
            return

    await store.save(a_row(inputs=b"[]"))
    await asyncio.gather(*(append(store, number) for number in range(64)))

    row = await store.checkout(CHECKOUT_ID)
    assert row is not None
    assert sorted(json.loads(row.inputs)) == list(range(64))
    assert row.revision == 65


@pytest.mark.parametrize(
    "row",
    [
        a_row(inputs=b"\xff"),
        a_row(revision=0),
        a_row()._replace(expires_at=1),
        a_row(account=2**64),
        a_row("\ud800"),
    ],
    ids=["inputs not utf-8", "revision 0", "expires before it starts", "account too large", "lone surrogate"],
)
async def test_invalid_values_are_refused_without_affecting_other_saves(store: Store, row: object) -> None:
    outcomes = await asyncio.gather(
        store.save(a_row("before")),
        store.save(row, an_answer()),  # type: ignore[arg-type]  # rows of another type would fail, too
        store.save(row),  # type: ignore[arg-type]
        store.save(a_row("after")),
        return_exceptions=True,
    )

    assert [type(outcome) for outcome in outcomes][::3] == [type(None)] * 2
    assert all(isinstance(outcome, (ValueError, Stale)) for outcome in outcomes[1:3])
    assert await store.answer(SCOPE, "k1") is None
    assert await store.head("after") is not None


async def test_saving_nothing_changes_nothing(store: Store) -> None:
    await store.save(None)


async def test_only_answers_created_before_the_instant_are_purged(store: Store) -> None:
    answers = [an_answer(f"k{number}", created_at=number) for number in range(1203)]
    await asyncio.gather(*(store.save(None, answer) for answer in answers))

    assert await store.purge_answers(before=1200) == 1200
    assert await store.purge_answers(before=1200) == 0
    assert await store.answer(SCOPE, "k1199") is None
    assert await store.answer(SCOPE, "k1200") == answers[1200]
    await store.save(None, an_answer("k7"))


async def test_only_the_answers_of_the_given_owner_are_deleted(store: Store) -> None:
    others = [
        "account 1",
        "account 12 POST /a",
        "account 2 POST /a",
        "accounts 1 POST /a",
        "Account 1 POST /a",
    ]
    others += ["account  1 POST /a", "account 1! POST /a", "1 POST /a", "~"]

    kept = [an_answer()._replace(scope=scope) for scope in others]
    gone = [an_answer()._replace(scope=f"account 1 POST /{number}") for number in range(120)]
    gone += [an_answer()._replace(scope=f"account 1 {rest}") for rest in ("", "%", "é", "\U0010ffff")]
    await asyncio.gather(*(store.save(None, answer) for answer in kept + gone))

    assert await store.forget_answers("account 1") == len(gone)
    assert await store.forget_answers("account 1") == 0
    assert [await store.answer(answer.scope, answer.key) for answer in gone] == [None] * len(gone)
    assert [await store.answer(answer.scope, answer.key) for answer in kept] == kept


async def test_open_checkouts_of_an_account_are_found_in_pages(store: Store) -> None:
    mine = [a_row(f"{number:03}", account=7, inputs=b'{"n":"\xc3\xa9"}') for number in range(25)]
    mine[3] = mine[3]._replace(is_paying=True)
    others = [a_row("010a", account=8), a_row("010b"), a_row("010c", account=7)._replace(is_closed=True)]

    await asyncio.gather(*(store.save(row) for row in [*others, *reversed(mine)]))

    assert await store.checkouts_of(7) == mine
    assert await store.checkouts_of(7, limit=10) == mine[:10]
    assert await store.checkouts_of(7, after="009", limit=10) == mine[10:20]
    assert await store.checkouts_of(7, after="024") == []
    assert await store.checkouts_of(9) == []


async def test_all_checkouts_are_listed_by_id_in_pages(store: Store) -> None:
    rows = [a_row(f"{number:03}", account=number % 2 or None) for number in range(25)]
    rows[3], rows[4] = rows[3]._replace(is_paying=True), rows[4]._replace(is_closed=True)

    await asyncio.gather(*(store.save(row) for row in reversed(rows)))

    assert await store.walk() == rows
    assert await store.walk(after="009", limit=10) == rows[10:20]
    assert await store.walk(after="024") == []


async def test_a_healthy_store_passes_its_check(store: Store) -> None:
    await store.save(a_row())
    await store.check()

    assert await store.checkout(CHECKOUT_ID) == a_row()


async def test_a_cancelled_caller_does_not_affect_others(store: Store) -> None:
    saves = [asyncio.create_task(store.save(a_row(f"c{number}"))) for number in range(30)]
    await asyncio.sleep(0)
    for task in saves[::2]:
        task.cancel()
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    assert all(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes[::2])
    assert outcomes[1::2] == [None] * 15
    await store.save(a_row())


async def test_closing_finishes_what_is_queued(store: Store, database_url: str) -> None:
    saves = [asyncio.create_task(store.save(a_row(f"c{number}"))) for number in range(300)]
    await asyncio.sleep(0)
    await store.close()

    assert await asyncio.gather(*saves) == [None] * 300
    async with opened(database_url) as later:
        assert await later.head("c299") is not None


async def test_a_closed_store_is_unavailable(store: Store) -> None:
    await store.close()
    await store.close()

    for refused in (
        store.save(a_row()),
        store.head(CHECKOUT_ID),
        store.checkout(CHECKOUT_ID),
        store.answer(SCOPE, "k1"),
        store.taken(["lift"], "", "~", at=1),
        store.purge_answers(1),
        store.purge_checkouts("", "~", before=1),
        store.forget_answers("account 1"),
        store.checkouts_of(1),
        store.walk(),
        store.release_expired(1),
        store.check(),
    ):
        with pytest.raises(StoreUnavailable, match="closed"):
            await refused


async def test_a_save_is_visible_to_another_store_on_the_same_database(
    database_url: str, store: Store
) -> None:
    async with opened(database_url) as other:
        await store.save(a_row())
        await other.save(a_row(revision=2))

        with pytest.raises(Stale):
            await store.save(a_row(revision=2))
        assert await store.checkout(CHECKOUT_ID) == a_row(revision=2)
