"""Parameters stand in the order in which the stores fill them in."""

import pytest
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Dialect, make_url

from faregate_http.store.contract import CheckoutRow, Hold, StoredAnswer
from faregate_http.store.records import KINDS, Record
from faregate_server.store.sql.hold_statements import compile_hold_statements, compile_taken
from faregate_server.store.sql.record_statements import compile_find, compile_record_statements
from faregate_server.store.sql.statements import compile_statements
from faregate_server.store.sql.tables import RECORDS, answers, checkouts, holds

ASYNCPG = make_url("postgresql+asyncpg://").get_dialect()
DIALECTS = [pytest.param(sqlite.dialect(), id="sqlite"), pytest.param(ASYNCPG(), id="postgresql")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_parameters_follow_the_fields_of_the_contract(dialect: Dialect) -> None:
    statements = compile_statements(dialect)

    assert statements.head.parameters == statements.checkout.parameters == ("checkout_id",)
    assert statements.answer.parameters == ("of_scope", "of_key")
    assert statements.insert_checkout.parameters == CheckoutRow._fields
    assert statements.insert_holder.parameters == CheckoutRow._fields
    replaced = (*CheckoutRow._fields[1:], "checkout_id", "replaced_revision")
    assert statements.replace_checkout.parameters == replaced
    assert statements.replace_holder.parameters == (*replaced[:8], "has_holds", *replaced[8:])
    assert statements.insert_answer.parameters == StoredAnswer._fields
    assert statements.purge_answers.parameters == ("before",)
    assert statements.forget_answers.parameters == ("first", "end")
    assert statements.checkouts_of.parameters == ("after", "of_account", "most")
    assert statements.walk.parameters == ("after", "most")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_parameters_of_holds_follow_the_fields_of_the_contract(dialect: Dialect) -> None:
    statements = compile_hold_statements(dialect)

    assert statements.own.parameters == statements.sell.parameters == ("holder",)
    assert statements.drop.parameters == ("holder", "of_pool", "of_slot")
    assert statements.put_capacity.parameters == ("pool", "slot", "size")
    assert statements.put.parameters == ("checkout_id", *Hold._fields[:3])
    assert statements.has_expired.parameters == statements.release_expired.parameters == ("at", "without")


def test_what_is_taken_asks_for_pools_and_slots_three_times() -> None:
    asked = ("pool_0", "pool_1", "first", "last")
    taken = compile_taken(sqlite.dialect(), 2)

    assert taken.parameters == (*asked, "at", "without", *asked, "without", *asked)


def test_columns_follow_the_fields_of_the_contract() -> None:
    fields = CheckoutRow._fields
    assert tuple(checkouts.c.keys()) == (*fields[:9], "has_holds", *fields[9:])
    assert tuple(holds.c.keys()) == ("checkout_id", *Hold._fields[:3], "is_sold")
    assert tuple(answers.c.keys()) == StoredAnswer._fields


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_records_follow_their_fields(kind: type[Record]) -> None:
    assert tuple(RECORDS[kind].c.keys()) == kind._fields


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("kind", KINDS)
def test_parameters_of_records_follow_their_fields(kind: type[Record], dialect: Dialect) -> None:
    statements = compile_record_statements(dialect, kind)

    assert statements.insert.parameters == kind._fields
    assert statements.replace.parameters == (*kind._fields[1:], "row_id", "found_revision")
    assert statements.erase.parameters == ("row_id", "found_revision")
    assert statements.due.parameters in {("at", "most"), ()}
    assert compile_find(dialect, RECORDS[kind], ("revision", "id")).parameters == (
        "of_revision",
        "of_id",
        "most",
    )


def test_a_dialect_without_positional_parameters_is_refused() -> None:
    with pytest.raises(TypeError, match="positional"):
        compile_statements(sqlite.dialect(paramstyle="named"))
