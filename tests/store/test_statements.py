"""Parameters stand in the order in which the stores fill them in."""

import pytest
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Dialect, make_url

from faregate_http.store.contract import CheckoutRow, StoredAnswer
from faregate_http.store.statements import compile_statements
from faregate_http.store.tables import answers, checkouts

ASYNCPG = make_url("postgresql+asyncpg://").get_dialect()
DIALECTS = [pytest.param(sqlite.dialect(), id="sqlite"), pytest.param(ASYNCPG(), id="postgresql")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_parameters_follow_the_fields_of_the_contract(dialect: Dialect) -> None:
    statements = compile_statements(dialect)

    assert statements.head.parameters == statements.checkout.parameters == ("checkout_id",)
    assert statements.answer.parameters == ("of_scope", "of_key")
    assert statements.insert_checkout.parameters == CheckoutRow._fields
    replaced = (*CheckoutRow._fields[1:], "checkout_id", "replaced_revision")
    assert statements.replace_checkout.parameters == replaced
    assert statements.insert_answer.parameters == StoredAnswer._fields
    assert statements.purge_answers.parameters == ("before",)


def test_columns_follow_the_fields_of_the_contract() -> None:
    assert tuple(checkouts.c.keys()) == CheckoutRow._fields
    assert tuple(answers.c.keys()) == StoredAnswer._fields


def test_a_dialect_without_positional_parameters_is_refused() -> None:
    with pytest.raises(TypeError, match="positional"):
        compile_statements(sqlite.dialect(paramstyle="named"))
