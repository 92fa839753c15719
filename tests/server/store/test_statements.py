"""The tables have the columns that statements name, with the types of the contract's fields."""

from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from sqlalchemy import BigInteger, Boolean, Connection, Integer, LargeBinary, Text, inspect
from sqlalchemy.types import TypeEngine

from faregate_http.store.contract import CheckoutRow, Hold, StoredAnswer
from faregate_http.store.records import KINDS, Record
from faregate_server.store.migrate import migrate
from faregate_server.store.sql.statements import RECORDS, scopes_of
from support.stores.capacity import in_engine

TYPES: dict[type, type[TypeEngine[Any]] | tuple[type[TypeEngine[Any]], ...]] = {
    str: Text,
    int: (BigInteger, Integer),
    bool: Boolean,
    bytes: (LargeBinary, Text),
}


def the_columns(url: str, table: str) -> list[Any]:
    migrate(url)
    return in_engine(url, lambda connection: _columns(connection, table))


def _columns(connection: Connection, table: str) -> list[Any]:
    return list(inspect(connection).get_columns(table))


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_records_are_their_fields(kind: type[Record], database_url: str) -> None:
    _check(kind, the_columns(database_url, RECORDS[kind].select.rpartition(" ")[2]))


def test_columns_of_checkouts_and_answers_are_their_fields(database_url: str) -> None:
    of_checkouts = the_columns(database_url, "checkouts")

    _check(CheckoutRow, [column for column in of_checkouts if column["name"] != "has_holds"])
    _check(StoredAnswer, the_columns(database_url, "answers"))


def _check(row: type[CheckoutRow | StoredAnswer | Record], found: list[Any]) -> None:
    hints = get_type_hints(row)
    assert {column["name"] for column in found} == {*row._fields}
    for column in found:
        hint = hints[column["name"]]
        assert column["nullable"] == (NoneType in get_args(hint))
        kind = hint if isinstance(hint, type) else next(one for one in get_args(hint) if one is not NoneType)
        assert isinstance(column["type"], TYPES[kind])


def test_columns_of_holds_are_those_of_the_contract(database_url: str) -> None:
    names = [column["name"] for column in the_columns(database_url, "holds")]

    assert names == ["checkout_id", *Hold._fields[:3], "is_sold"]


def test_all_scopes_of_an_owner_are_in_one_range() -> None:
    first, end = scopes_of("account 7")

    assert first <= "account 7 POST /x" < end
    assert not first <= "account 71 POST /x" < end
