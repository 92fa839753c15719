"""The tables themselves prevent overselling, independent of the code."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any, Self

import asyncpg
import pytest

from faregate_server.store.sql.statements import RELEASED_AT_ONCE
from faregate_server.store.sqlite.statements import HAS_EXPIRED, RELEASE_EXPIRED, taken
from faregate_server.store.sqlite.store import SqliteStore
from support.stores.capacity import DAY, LATER, POOL, a_hold, a_holder, ask, drop_size_check
from support.stores.rows import a_row, an_answer, opened

NEXT_DAY = "2026-12-28"

REFUSED = (sqlite3.IntegrityError, asyncpg.IntegrityConstraintViolationError)


async def fill(url: str) -> None:
    """Give *lift* 10 units on two days; checkout *c1* holds 4 on the first."""
    async with opened(url) as store:
        await store.save(a_row("c2"), None, [a_hold(10, slot=NEXT_DAY)])
        await store.save(a_row("c2", revision=2), None, [])
        await store.save(a_row("c1"), None, [a_hold(4)])


@pytest.fixture
def filled_url(database_url: str) -> str:
    asyncio.run(fill(database_url))
    return database_url


@pytest.fixture
def filled_path(path: Path) -> Path:
    """Return the file of such a database."""
    asyncio.run(fill(f"sqlite:///{path}"))
    return path


def held(url: str) -> list[tuple[object, ...]]:
    return ask(url, "SELECT slot, held FROM capacity ORDER BY slot")


def hold(checkout_id: str, slot: str, units: int) -> str:
    row = f"'{checkout_id}', '{POOL}', '{slot}', {units}"
    return f"INSERT INTO holds (checkout_id, pool, slot, units) VALUES ({row})"


@pytest.mark.parametrize(
    "statement",
    [
        hold("c2", DAY, 7),
        hold("c2", NEXT_DAY, 11),
        hold("c2", NEXT_DAY, 0),
        "UPDATE holds SET units = 11",
        "UPDATE holds SET units = 0",
        "UPDATE capacity SET held = held + 7",
        "UPDATE capacity SET sold = 7",
        "UPDATE capacity SET size = 3",
        "UPDATE capacity SET sold = -1",
        "UPDATE capacity SET held = -1",
    ],
)
def test_no_statement_can_violate_the_capacity(filled_url: str, statement: str) -> None:
    with pytest.raises(REFUSED, match=r"(?i)check"):
        ask(filled_url, statement)

    assert held(filled_url) == [(DAY, 4), (NEXT_DAY, 0)]


def test_manual_statements_are_counted(filled_url: str) -> None:
    counts = []
    for statement in (
        hold("c2", DAY, 6),
        "UPDATE holds SET units = 1 WHERE checkout_id = 'c2'",
        f"UPDATE holds SET slot = '{NEXT_DAY}' WHERE checkout_id = 'c1'",
        "UPDATE holds SET units = 10 WHERE checkout_id = 'c1'",
        "UPDATE checkouts SET has_holds = true",
        "UPDATE checkouts SET has_holds = false WHERE id = 'c1'",
        "DELETE FROM holds",
    ):
        ask(filled_url, statement)
        counts.append(tuple(count for _, count in held(filled_url)))

    assert counts == [(10, 0), (5, 0), (1, 4), (1, 10), (1, 10), (1, 0), (0, 0)]


def test_a_hold_moves_only_where_there_is_room(filled_url: str) -> None:
    ask(filled_url, hold("c2", NEXT_DAY, 7))

    with pytest.raises(REFUSED, match=r"(?i)check"):
        ask(filled_url, f"UPDATE holds SET slot = '{NEXT_DAY}' WHERE checkout_id = 'c1'")
    assert held(filled_url) == [(DAY, 4), (NEXT_DAY, 7)]


@pytest.mark.parametrize("statement", [hold("c1", "2027-01-01", 1), "UPDATE holds SET slot = '2027-01-01'"])
def test_a_slot_without_capacity_cannot_be_held(filled_url: str, statement: str) -> None:
    with pytest.raises(REFUSED, match=r"no capacity|fk_holds_capacity"):
        ask(filled_url, statement)


def test_without_the_check_the_same_statement_exceeds_the_capacity(filled_url: str) -> None:
    drop_size_check(filled_url)
    ask(filled_url, hold("c2", DAY, 7))

    assert held(filled_url) == [(DAY, 11), (NEXT_DAY, 0)]


def test_a_deleted_checkout_holds_nothing_and_a_held_slot_is_not_deleted(filled_url: str) -> None:
    for statement in ("DELETE FROM capacity", hold("unknown", DAY, 1)):
        with pytest.raises(REFUSED, match=r"(?i)foreign key"):
            ask(filled_url, statement)
    ask(filled_url, "DELETE FROM checkouts")

    assert held(filled_url) == [(DAY, 0), (NEXT_DAY, 0)]


async def test_wrong_counts_are_not_mistaken_for_sold_out(filled_path: Path) -> None:
    ask(filled_path, "UPDATE capacity SET held = 0")  # a manual error: four are held

    async with opened(f"sqlite:///{filled_path}") as store:
        for holds in ([a_hold(5)], [a_hold(3)], []):
            with pytest.raises(ValueError, match="ck_capacity_held"):
                await store.save(a_row("c1", revision=2), None, holds)


class Recording(sqlite3.Cursor):
    """A cursor that records the first word of each statement."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.words: list[str] = []

    def execute(self, sql: str, values: Any = (), /) -> Self:
        self.words.append(sql.split(maxsplit=1)[0])
        return super().execute(sql, values)


async def words_of(path: Path, *saves: tuple[object, ...]) -> list[list[str]]:
    """Return the first words of the statements for each of *saves*."""
    store = SqliteStore.open(path)
    said = []
    for save in saves:
        store._writer._cursor = store._writer._connection.cursor(Recording)
        await store.save(*save)  # type: ignore[arg-type]  # rows, answers and holds, in that order
        said.append(store._writer._cursor.words)
    await store.close()
    return said


async def test_a_save_writes_only_what_differs(filled_path: Path) -> None:
    both = [a_hold(4), a_hold(1, slot=NEXT_DAY)]
    plain, with_answer, nothing_held, held_before, one_more, let_go = await words_of(
        filled_path,
        (a_row("c3"),),
        (a_row("c3", revision=2), an_answer()),
        (a_row("c3", revision=3), None, []),
        (a_row("c1", revision=2), None, both[:1]),
        (a_row("c1", revision=3), None, both),
        (a_row("c1", revision=4), None, []),
    )

    assert plain == ["BEGIN", "INSERT", "COMMIT"]
    assert with_answer == ["BEGIN", "SAVEPOINT", "UPDATE", "INSERT", "RELEASE", "COMMIT"]
    assert nothing_held == ["BEGIN", "UPDATE", "COMMIT"]
    # The row, its existing holds, and a search for expired checkouts.
    assert held_before == ["BEGIN", "SAVEPOINT", "UPDATE", "SELECT", "UPDATE", "RELEASE", "COMMIT"]
    assert one_more == [*held_before[:4], "INSERT", "INSERT", *held_before[4:]]
    assert let_go == ["BEGIN", "UPDATE", "COMMIT"]


async def test_a_save_releases_a_limited_number_of_expired_checkouts(filled_path: Path) -> None:
    hold = a_hold(1, size=1000)
    async with opened(f"sqlite:///{filled_path}") as store:
        await asyncio.gather(*(store.save(a_holder(f"e{number}"), None, [hold]) for number in range(120)))
        await store.save(a_holder("late", at=LATER, expires_at=LATER + 9), None, [hold])

    (left,) = ask(filled_path, "SELECT count(*) FROM checkouts WHERE has_holds")
    assert left == (1 + 121 - RELEASED_AT_ONCE,)


@pytest.mark.parametrize(
    ("sql", "number"),
    [(taken(2), 6), (HAS_EXPIRED, 2), (RELEASE_EXPIRED, 2)],
    ids=["taken", "has", "release"],
)
def test_expired_checkouts_are_found_without_touching_history(
    filled_path: Path, sql: str, number: int
) -> None:
    plan = ask(filled_path, f"EXPLAIN QUERY PLAN {sql}", *[1] * number)
    steps = [str(step[3]) for step in plan]

    assert any("INDEX ix_checkouts_may_expire (expires_at<?)" in step for step in steps)
    assert not any(step.startswith("SCAN") and step != "SCAN CONSTANT ROW" for step in steps)
