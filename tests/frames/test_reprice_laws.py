"""Laws: on any engine, scattered or together, lines and checkouts cost what the scalar function returns."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.discounts.eligibility import scopes_of
from faregate.frames import Lines, reprice, totals
from faregate.frames.orders import streams as order_streams
from faregate.frames.orders.fields import Figures, OrderReading, plan_of
from faregate.frames.orders.returns import KeptIds
from faregate.frames.orders.streams import Pricing, priced_pieces
from support.frames.engines import ENGINES, Engine, rows
from support.frames.past_orders import FIGURES, SUMS, Orders, past_orders

quick = [own for own in ENGINES if own.name in {"pandas-arrow", "polars", "pyarrow-chunked", "duckdb"}]
quick_engines = pytest.mark.parametrize("engine", quick, ids=str)


def of_lines(found: Any) -> dict[tuple[str, int], tuple[Any, ...]]:
    return {(row["checkout"], row["key"]): tuple(row[name] for name in FIGURES) for row in rows(found)}


def of_checkouts(found: Any) -> dict[str, tuple[Any, ...]]:
    return {row["checkout"]: tuple(row[name] for name in SUMS) for row in rows(found)}


@quick_engines
@given(drawn=past_orders())
def test_scattered_lines_match_the_scalar_one_by_one(engine: Engine, drawn: Orders) -> None:
    table = drawn.scattered()

    found = reprice(engine.take(table), drawn.rules)

    assert of_lines(found) == drawn.figures()
    assert [row["key"] for row in rows(found)] == table["key"].to_pylist()


@quick_engines
@given(drawn=past_orders())
def test_checkouts_match_the_scalar_one_by_one(engine: Engine, drawn: Orders) -> None:
    table = drawn.scattered()

    found = totals(engine.take(table), rules=drawn.rules)

    assert of_checkouts(found) == {
        checkout: tuple(getattr(own, name) for name in SUMS) for checkout, own in drawn.totals().items()
    }
    assert [row["checkout"] for row in rows(found)] == [*dict.fromkeys(table["checkout"].to_pylist())]


@given(drawn=past_orders())
def test_lines_together_match_the_scalar(drawn: Orders) -> None:
    found = reprice(drawn.together(), drawn.rules, lines=Lines.TOGETHER)

    assert of_lines(found) == drawn.figures()


@given(drawn=past_orders(), size=st.integers(1, 9))
def test_a_long_table_costs_the_same_in_pieces(drawn: Orders, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order_streams, "STREAM_ROWS", size)
        found, scattered = (reprice(table, drawn.rules) for table in (drawn.together(), drawn.scattered()))

    assert of_lines(found) == of_lines(scattered) == drawn.figures()


@given(drawn=past_orders(), size=st.integers(1, 9), batch=st.integers(1, 9))
def test_a_stream_costs_the_same_in_pieces_of_any_size(drawn: Orders, size: int, batch: int) -> None:
    table = drawn.together()
    plan = plan_of("checkout", drawn.rules, table.column_names, OrderReading(lines=Lines.TOGETHER))

    pieces = priced_pieces(
        table.to_batches(max_chunksize=batch), Pricing(plan, Figures.LINES), KeptIds("checkout"), rows=size
    )

    found = {key: value for piece in pieces for key, value in of_lines(piece).items()}
    assert found == drawn.figures()


@given(drawn=past_orders())
def test_without_keys_ties_are_broken_by_the_order_of_rows(drawn: Orders) -> None:
    by_key = drawn.together().sort_by("key")
    scopes = [scope for discount in drawn.rules.automatic for scope in scopes_of(discount)]
    scopes += [scope for promo_code in drawn.rules.promo_codes for scope in scopes_of(promo_code)]
    assume(not any(scope.lines for scope in scopes))

    found = reprice(by_key, drawn.rules, columns={"key": None})

    assert of_lines(found) == drawn.figures()


@given(drawn=past_orders(), size=st.integers(1, 9))
def test_a_stream_can_return_the_figures_of_checkouts(drawn: Orders, size: int) -> None:
    table = drawn.together()
    plan = plan_of("checkout", drawn.rules, table.column_names, OrderReading(lines=Lines.TOGETHER))

    pieces = priced_pieces(
        table.to_batches(), Pricing(plan, Figures.CHECKOUTS), KeptIds("checkout"), rows=size
    )

    assert {key: value for piece in pieces for key, value in of_checkouts(piece).items()} == {
        checkout: tuple(getattr(own, name) for name in SUMS) for checkout, own in drawn.totals().items()
    }
