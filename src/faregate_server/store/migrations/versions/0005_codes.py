"""Stored codes in the normal form in which codes compare; orders keep the codes that they showed."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from unicodedata import category, normalize

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_checkouts = sa.table("checkouts", sa.column("id"), sa.column("inputs"))
_payments = sa.table("payments", sa.column("id"), sa.column("vouchers"))
_capacity = sa.table("capacity", sa.column("pool"), sa.column("slot"), sa.column("size"))
_holds = sa.table("holds", sa.column("pool"), sa.column("slot"))

_DOCUMENTS = ((_checkouts, _checkouts.c.inputs), (_payments, _payments.c.vouchers))

_ALLOWANCES = ("uses", "budget", "balance")


def upgrade() -> None:
    """Rewrite the codes that are not in their normal form.

    Raises:
        ValueError: two codes would become one; nothing has changed.
    """
    connection = op.get_bind()
    allowances = sa.select(_capacity.c.pool).where(_capacity.c.slot.in_(_ALLOWANCES))
    codes = set(connection.scalars(allowances))
    for table, column in _DOCUMENTS:
        for _, document in _documents(connection, table, column):
            codes.update(row[index] for row, index in _places(document))
    _refuse_clashes(codes)
    changed = {code: normal_form(code) for code in codes if normal_form(code) != code}
    for old, new in changed.items():
        _move_allowances(connection, old, new)
    for table, column in _DOCUMENTS if changed else ():
        _rewrite(connection, table, column, changed)


def normal_form(code: str) -> str:
    """Return *code* as codes compared when this migration was written."""
    visible = [character for character in normalize("NFKC", code) if category(character) != "Cf"]
    return normalize("NFKC", "".join(visible).strip().upper())


def _refuse_clashes(codes: Iterable[str]) -> None:
    of_form = defaultdict(list)
    for code in sorted(codes):
        of_form[normal_form(code)].append(ascii(code))
    clashes = ", ".join(" and ".join(same) for same in of_form.values() if len(same) > 1)
    if clashes:
        raise ValueError(f"two stored codes would become one: {clashes}; write another code for all but one")


def _move_allowances(connection: sa.Connection, old: str, new: str) -> None:
    """Give the uses, budget and balance of a code another name; the triggers on holds count what moves."""
    found = [_capacity.c.pool == old, _capacity.c.slot.in_(_ALLOWANCES)]
    copies = sa.select(sa.literal(new), _capacity.c.slot, _capacity.c.size).where(*found)
    connection.execute(sa.insert(_capacity).from_select(["pool", "slot", "size"], copies))
    moved = [_holds.c.pool == old, _holds.c.slot.in_(_ALLOWANCES)]
    connection.execute(sa.update(_holds).where(*moved).values(pool=new))
    connection.execute(sa.delete(_capacity).where(*found))


def _documents(
    connection: sa.Connection, table: sa.TableClause, column: sa.ColumnClause[Any]
) -> Iterator[tuple[str, Any]]:
    """Read the documents of a column that may hold codes, a thousand rows at a time."""
    has_codes = sa.or_(column.like("[[%"), column.like('%"codes"%'))
    query = sa.select(table.c.id, column).where(has_codes)
    for key, text in connection.execute(query, execution_options={"yield_per": 1000}):
        yield key, json.loads(text)


def _places(document: Any) -> Iterator[tuple[list[Any], int]]:
    """Find the codes in the vouchers of a payment, or in the inputs of a checkout: a list and an index."""
    if isinstance(document, list):
        yield from ((voucher, 0) for voucher in document)
    else:
        codes = document.get("codes", [])
        yield from ((codes, index) for index in range(len(codes)))
        yield from ((spent, 1) for spent in document.get("spent", []))


def _rewrite(
    connection: sa.Connection,
    table: sa.TableClause,
    column: sa.ColumnClause[Any],
    changed: Mapping[str, str],
) -> None:
    rows = [
        {"key": key, "text": _with_normal_forms(document, changed)}
        for key, document in _documents(connection, table, column)
        if any(row[index] in changed for row, index in _places(document))
    ]
    if rows:
        by_key = table.c.id == sa.bindparam("key")
        connection.execute(sa.update(table).where(by_key).values({column: sa.bindparam("text")}), rows)


def _with_normal_forms(document: Any, changed: Mapping[str, str]) -> str:
    for row, index in _places(document):
        row[index] = changed.get(row[index], row[index])
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
