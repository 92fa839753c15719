"""The statements of a store, written once in SQLAlchemy Core and compiled to plain SQL per dialect.

Compiling costs a hundred times what SQLite needs to run the statement, so it is done once, at the start; a
call then hands text and a tuple of values to the driver.
"""

from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Delete,
    bindparam,
    delete,
    literal_column,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

from faregate_http.store.contract import CheckoutHead, CheckoutRow
from faregate_server.store.sql.tables import OF_AN_ACCOUNT, answers, checkouts


class Statement(NamedTuple):
    """SQL as a driver takes it, and what each of its positional parameters stands for, in order."""

    text: str
    parameters: tuple[str, ...]


class Statements(NamedTuple):
    """What a store says to its database of checkouts and answers; a holder is a checkout that has holds.

    An insert that finds its key taken, and an update that does not find its revision, change no row and
    raise nothing: the count of changed rows tells.
    """

    head: Statement
    checkout: Statement
    checkouts_of: Statement
    walk: Statement
    answer: Statement
    insert_checkout: Statement
    insert_holder: Statement
    replace_checkout: Statement
    replace_holder: Statement
    insert_answer: Statement
    purge_answers: Statement
    forget_answers: Statement


# Written out: SQLite has no limit without an offset, which would become a parameter.
_NOTHING: ColumnElement[int] = literal_column("0")

PURGED_AT_ONCE = 50
"""So many answers are deleted per statement, so that no save and no turn of the loop waits long."""


def compile_statements(dialect: Dialect) -> Statements:
    """Compile every statement for *dialect*, whose parameters must be positional."""
    insert = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
    row = [checkouts.c[name] for name in CheckoutRow._fields]
    by_id = checkouts.c.id == bindparam("checkout_id")
    head = select(*(checkouts.c[name] for name in CheckoutHead._fields)).where(by_id)
    answer = select(answers).where(
        answers.c.scope == bindparam("of_scope"), answers.c.key == bindparam("of_key")
    )
    inserted = insert(checkouts).values({column: bindparam(column.name) for column in row})
    replace = (
        update(checkouts)
        .where(by_id, checkouts.c.revision == bindparam("replaced_revision"))
        .values({column: bindparam(column.name) for column in row[1:]})
    )
    walk = (
        select(*row)
        .where(checkouts.c.id > bindparam("after"))
        .order_by(checkouts.c.id)
        .limit(bindparam("most"))
        .offset(_NOTHING)
    )
    of_account = walk.where(checkouts.c.account == bindparam("of_account"), OF_AN_ACCOUNT)
    return Statements(
        head=compiled(head, dialect),
        checkout=compiled(select(*row).where(by_id), dialect),
        checkouts_of=compiled(of_account, dialect),
        walk=compiled(walk, dialect),
        answer=compiled(answer, dialect),
        insert_checkout=compiled(inserted.on_conflict_do_nothing(), dialect),
        insert_holder=compiled(inserted.values(has_holds=true()).on_conflict_do_nothing(), dialect),
        replace_checkout=compiled(replace, dialect),
        replace_holder=compiled(replace.values(has_holds=bindparam("has_holds")), dialect),
        insert_answer=compiled(insert(answers).on_conflict_do_nothing(), dialect),
        purge_answers=compiled(_deleted(answers.c.created_at < bindparam("before")), dialect),
        forget_answers=compiled(
            _deleted(answers.c.scope >= bindparam("first"), answers.c.scope < bindparam("end")), dialect
        ),
    )


def _deleted(*which: ColumnElement[bool]) -> Delete:
    found = select(answers.c.scope, answers.c.key).where(*which)
    some = found.limit(literal_column(str(PURGED_AT_ONCE))).offset(_NOTHING)
    return delete(answers).where(tuple_(answers.c.scope, answers.c.key).in_(some))


def scopes_of(owner: str) -> tuple[str, str]:
    """The first scope that begins with *owner* and a blank, and the first behind all of them.

    >>> scopes_of("account 7")
    ('account 7 ', 'account 7!')
    """
    return f"{owner} ", f"{owner}!"


def compiled(statement: ClauseElement, dialect: Dialect) -> Statement:
    """Compile one statement for *dialect*.

    Raises:
        TypeError: the parameters of the dialect are not positional.
    """
    compiled = statement.compile(dialect=dialect)
    if not isinstance(compiled, SQLCompiler) or compiled.positiontup is None:
        raise TypeError(f"the parameters of dialect {dialect.name} are not positional")
    return Statement(str(compiled), tuple(compiled.positiontup))
